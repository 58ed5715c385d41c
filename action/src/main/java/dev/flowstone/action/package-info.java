/**
 * What the author of an action sees (dataflow.md §7): {@link dev.flowstone.action.Action}, the
 * {@link dev.flowstone.action.ActionContext} that it runs on, what it answers, and the {@link dev.flowstone.action.Connector} that
 * brings it along. On the JDK and Jackson alone.
 *
 * <pre>
 *   parameters, rendered ──▶ bound to a record ──▶ checked ──▶ Action.run(P, context) ──▶ ActionResult
 *                            every fault at once, by its JSON pointer
 * </pre>
 */
@NullMarked
package dev.flowstone.action;

import org.jspecify.annotations.NullMarked;
