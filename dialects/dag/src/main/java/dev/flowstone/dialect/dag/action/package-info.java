/** The actions that a definition may name, and what is checked of their parameters before anything runs. */
@NullMarked
package dev.flowstone.dialect.dag.action;

import org.jspecify.annotations.NullMarked;
