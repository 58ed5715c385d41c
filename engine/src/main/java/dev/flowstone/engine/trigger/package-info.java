/**
 * Triggers: what starts executions of a workflow, and what came for them. Whether one fires is its own flag and its workflow's state,
 * read together, so that archiving writes to no trigger and leaves none behind.
 *
 * <pre>
 *   delivery ─▶ claimed ─▶ started    a new execution
 *                       ├▶ repeated   the execution that this delivery started before
 *                       ├▶ ignored    the activation condition is false
 *                       └▶ refused    with a code; nothing was started
 * </pre>
 */
@NullMarked
package dev.flowstone.engine.trigger;

import org.jspecify.annotations.NullMarked;
