/** A run's state: the fold of its events, and nothing else. Immutable. */
@NullMarked
package dev.flowstone.kernel.state;

import org.jspecify.annotations.NullMarked;
