/** Typed names: who cannot be confused with whom. Each validates its form when it is made. */
@NullMarked
package dev.flowstone.kernel.id;

import org.jspecify.annotations.NullMarked;
