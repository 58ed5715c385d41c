/** Tests. */
@NullMarked
package dev.flowstone.dialect.dag;

import org.jspecify.annotations.NullMarked;
