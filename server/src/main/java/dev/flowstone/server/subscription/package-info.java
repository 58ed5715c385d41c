/**
 * Events on their way out of the house, as CloudEvents: at least once, each run's in order. Who owns a shard sends what its stream
 * of the feed has for each subscription, a page at a time; the cursor moves over what was acknowledged (ADR 0032).
 *
 * <pre>
 *   EventsOut ── who has which stream ──▶ StreamWorker ── pages ──▶ PageDelivery ── a lane for each run ──▶ EventSink
 *      │                                      │                                                     webhook or Kafka
 *      └── FeedHeads: wakes it                └── the cursor, under the shard's epoch
 * </pre>
 */
@NullMarked
package dev.flowstone.server.subscription;

import org.jspecify.annotations.NullMarked;
