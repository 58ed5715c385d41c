/** The kinds of faults that a DAG's definition can have. */
@NullMarked
package dev.flowstone.dialect.dag.fault;

import org.jspecify.annotations.NullMarked;
