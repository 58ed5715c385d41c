/** A database in memory that refuses exactly what the real one refuses: one state, many nodes' ports over it. */
@NullMarked
package dev.flowstone.testkit.memory;

import org.jspecify.annotations.NullMarked;
