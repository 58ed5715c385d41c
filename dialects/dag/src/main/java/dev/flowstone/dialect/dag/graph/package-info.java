/**
 * The superset graph of a definition: all edges, {@code onFailure} among them, conditions and outcomes left aside
 * (dataflow.md §4.2). What can be said about it without running it: where edges lead, circles, what no path reaches, and
 * which nodes come before which.
 */
@NullMarked
package dev.flowstone.dialect.dag.graph;

import org.jspecify.annotations.NullMarked;
