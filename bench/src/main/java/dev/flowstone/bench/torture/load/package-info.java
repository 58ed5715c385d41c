/** Everybody outside who has to do with the runs: they start them, decide, send signals, ask again until they know, and write it down. */
@NullMarked
package dev.flowstone.bench.torture.load;

import org.jspecify.annotations.NullMarked;
