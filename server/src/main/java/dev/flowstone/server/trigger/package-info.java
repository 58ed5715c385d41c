/**
 * What stands behind triggers at one node: arrivals are claimed and settled in batches, one transaction for many, and started by one
 * launcher, whatever brought them.
 *
 * <pre>
 *   claim ─▶ launch ─▶ settle
 *               └─ it throws ─▶ dead letter ─▶ tried again by the trigger as it is then
 * </pre>
 */
@NullMarked
package dev.flowstone.server.trigger;

import org.jspecify.annotations.NullMarked;
