/** Sources in a few words, and what becomes of them. */
@NullMarked
package dev.flowstone.dialect.states;

import org.jspecify.annotations.NullMarked;
