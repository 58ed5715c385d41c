/**
 * A definition as its author wrote it: read by the format's schema (dataflow.md §4.1) into records, as much of it as can
 * be read, so that the later checks still see what is right in a definition where something is wrong.
 */
@NullMarked
package dev.flowstone.dialect.dag.definition;

import org.jspecify.annotations.NullMarked;
