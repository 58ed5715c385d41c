/** Planted defects, and sound programs about which nothing is said. */
@NullMarked
package dev.flowstone.dialect.soundness;

import org.jspecify.annotations.NullMarked;
