/** Values too large to stand in an event are set aside, by content hash. */
@NullMarked
package dev.flowstone.engine.payload;

import org.jspecify.annotations.NullMarked;
