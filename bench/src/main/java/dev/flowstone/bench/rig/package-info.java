/** What a measurement stands on: a database of its own, an engine on it, what the journal holds afterwards, the bare loop. */
@NullMarked
package dev.flowstone.bench.rig;

import org.jspecify.annotations.NullMarked;
