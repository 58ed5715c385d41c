/** Other engines, measured by their own harness on this machine, beside what was found here. */
@NullMarked
package dev.flowstone.bench.peer;

import org.jspecify.annotations.NullMarked;
