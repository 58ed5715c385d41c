/** Tests. */
@NullMarked
package dev.flowstone.dialect.drawing;

import org.jspecify.annotations.NullMarked;
