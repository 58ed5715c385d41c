/**
 * The rules. {@code decide} is a pure function of a run's state and a command; it says which events come next, why not,
 * or what it needs to know first.
 */
@NullMarked
package dev.flowstone.kernel.decision;

import org.jspecify.annotations.NullMarked;
