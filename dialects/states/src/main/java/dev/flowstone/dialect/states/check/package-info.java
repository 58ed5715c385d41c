/** Whether the names in a source lead somewhere, and its expressions compile. */
@NullMarked
package dev.flowstone.dialect.states.check;

import org.jspecify.annotations.NullMarked;
