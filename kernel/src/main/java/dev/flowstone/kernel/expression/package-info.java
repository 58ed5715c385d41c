/**
 * What the kernel asks of an expression language: pure evaluation over read-only JSON, in counted budgets (rules R1 and
 * R3). The language itself is the floor above.
 */
@NullMarked
package dev.flowstone.kernel.expression;

import org.jspecify.annotations.NullMarked;
