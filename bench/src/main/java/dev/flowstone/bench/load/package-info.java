/**
 * Load, and what it is seen to do: loops that keep so many runs in flight or offer so many a second, callers over HTTP, and
 * the meter that watches an engine under them.
 */
@NullMarked
package dev.flowstone.bench.load;

import org.jspecify.annotations.NullMarked;
