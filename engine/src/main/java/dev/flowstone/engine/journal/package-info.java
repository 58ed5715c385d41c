/** What the engine writes: one set-based commit for many runs, and what it reads back to go on. The port that every database implements and that one conformance suite checks. */
@NullMarked
package dev.flowstone.engine.journal;

import org.jspecify.annotations.NullMarked;
