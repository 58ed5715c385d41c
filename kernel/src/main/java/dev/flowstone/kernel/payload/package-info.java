/** Values as events carry them: inline, or by the hash of content that stands in the payload store. */
@NullMarked
package dev.flowstone.kernel.payload;

import org.jspecify.annotations.NullMarked;
