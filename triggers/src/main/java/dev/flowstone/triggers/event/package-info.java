/**
 * Events that start executions: CloudEvents 1.0, the engine's own and those that somebody sends, and which of them a trigger wants.
 *
 * <pre>
 *   structured, batched, binary ─▶ CloudEventReader ─▶ CloudEvent ─▶ EventRules ─▶ the activation condition ─▶ a start
 * </pre>
 */
@NullMarked
package dev.flowstone.triggers.event;

import org.jspecify.annotations.NullMarked;
