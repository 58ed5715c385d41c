/** Compiled programs by hash, kept in memory for every shard. */
@NullMarked
package dev.flowstone.engine.program;

import org.jspecify.annotations.NullMarked;
