/**
 * What stands behind triggers at one node: arrivals are claimed and settled in batches, one transaction for many, and started by one
 * launcher, whatever brought them.
 *
 * <pre>
 *   claim ─▶ launch ─▶ settle
 *               └─ it throws ─▶ dead letter ─▶ tried again by the trigger as it is then
 *
 *   EventLoop ── which streams, which triggers ──▶ StreamFollower ── a page of events ──▶ EventStarts
 *                                                       └── the cursor, under the shard's epoch
 * </pre>
 */
@NullMarked
package dev.flowstone.server.trigger;

import org.jspecify.annotations.NullMarked;
