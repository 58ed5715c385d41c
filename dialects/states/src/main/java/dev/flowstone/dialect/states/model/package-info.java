/** A source of sound shape: its regions of states and the ways between them. */
@NullMarked
package dev.flowstone.dialect.states.model;

import org.jspecify.annotations.NullMarked;
