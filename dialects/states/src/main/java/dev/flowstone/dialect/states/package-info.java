/** The native source format: states, transitions, people, signals, and how they become programs. {@link dev.flowstone.dialect.states.StatesDialect} is the door. */
@NullMarked
package dev.flowstone.dialect.states;

import org.jspecify.annotations.NullMarked;
