/** The kinds of faults and lints that a source can have. */
@NullMarked
package dev.flowstone.dialect.states.fault;

import org.jspecify.annotations.NullMarked;
