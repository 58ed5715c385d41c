/**
 * What leaves the house, through the one client for it, set up as the settings say: the action {@code core.http}, and webhooks that
 * the outbox delivers.
 *
 * <pre>
 * parameters ──HttpParameters──▶ HttpCall ──OutboundClient──▶ Outcome ──HttpResults──▶ TaskResult
 * message ──WebhookPublisher──▶ OutboundClient ──▶ Receipt
 * </pre>
 */
@NullMarked
package dev.flowstone.server.effect;

import org.jspecify.annotations.NullMarked;
