/**
 * What leaves the house: the node's client for it, set up as the settings say, and the action {@code core.http}.
 *
 * <pre>
 * parameters ──HttpParameters──▶ HttpCall ──OutboundClient──▶ Outcome ──HttpResults──▶ TaskResult
 * </pre>
 */
@NullMarked
package dev.flowstone.server.effect;

import org.jspecify.annotations.NullMarked;
