/** The one clock. */
@NullMarked
package dev.flowstone.engine.time;

import org.jspecify.annotations.NullMarked;
