/** Under which condition a trigger starts something (dataflow.md §6.3): an expression over what came, and over nothing else. */
@NullMarked
package dev.flowstone.triggers.condition;

import org.jspecify.annotations.NullMarked;
