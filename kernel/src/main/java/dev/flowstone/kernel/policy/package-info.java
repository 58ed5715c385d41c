/**
 * What the kernel asks of a policy language: a pure verdict on a published bundle, in counted budgets (rules R1 and R3).
 * A bundle is a fact, {@code {"version", "hash", "bundle": {"kind", …}}}; its kind names its evaluator. The form of
 * ordered rules is built in.
 */
@NullMarked
package dev.flowstone.kernel.policy;

import org.jspecify.annotations.NullMarked;
