/** The one clock, and what is left of a time. */
@NullMarked
package dev.flowstone.engine.time;

import org.jspecify.annotations.NullMarked;
