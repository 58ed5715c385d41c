/** What a run's program and state say to those who only look: pure, derived, never part of a decision. */
@NullMarked
package dev.flowstone.kernel.read;

import org.jspecify.annotations.NullMarked;
