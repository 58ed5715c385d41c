/**
 * Conditions and {@code {{ }}} templates: an expression subset of JavaScript over read-only JSON, in counted budgets.
 *
 * <p>The one idea: what is accepted means what it means in JavaScript (the few exceptions are listed in ADR 0003), and
 * what is not on the list is refused before anything runs. Nothing here can reach a host object, because there is none.
 *
 * <pre>
 * source ──SourceScan──▶ bounds ──Rhino's parser──▶ tree ──Translator──▶ Node   (once, then cached; compile time)
 *                                                                          │
 * roots, Meter, Reads ───────────────────────── Frame ──▶ Node.evaluate ───┴──▶ value or Fault   (every time)
 * </pre>
 *
 * <p>A value while an expression runs is a {@link dev.flowstone.kernel.json.JsonValue}, a {@link Double} that arithmetic
 * has produced, or {@link dev.flowstone.expression.Undefined}: hence the many parameters of type {@link Object}.
 */
@NullMarked
package dev.flowstone.expression;

import org.jspecify.annotations.NullMarked;
