/** Calls of other workflows, as far as they can be judged before a run makes them. */
@NullMarked
package dev.flowstone.dialect.dag.call;

import org.jspecify.annotations.NullMarked;
