/** A sound source as a program: each state a small chain of nodes. */
@NullMarked
package dev.flowstone.dialect.states.compile;

import org.jspecify.annotations.NullMarked;
