/** Starting runs. */
@NullMarked
package dev.flowstone.engine.start;

import org.jspecify.annotations.NullMarked;
