/**
 * JSON workflows that are directed acyclic graphs, and how they become programs. {@link
 * dev.flowstone.dialect.dag.DagDialect} is the door. A definition is read by its schema, checked as a graph, and only if
 * nothing is wrong compiled; whatever is wrong is reported at once, each fault with its place and its remedy.
 */
@NullMarked
package dev.flowstone.dialect.dag;

import org.jspecify.annotations.NullMarked;
