/**
 * Events out: who gets which events of a tenant, and how far each has come. The feed is the outbox: there is no row for an
 * event, only a cursor for each stream, which moves over what was acknowledged, under the epoch of the stream's shard.
 *
 * <pre>
 *            put, resume, rewind, skip           no progress for too long, or the feed has lost what it needs
 *   (none) ───────────────────────────▶ active ────────────────────────────────────────────────▶ broken
 *                                       │    ▲                                                     │
 *              pause, or the other side │    │ resume            resume, rewind, skip              │
 *              says that it is gone     ▼    │     ◀──────────────────────────────────────────────┘
 *                                       paused
 * </pre>
 */
@NullMarked
package dev.flowstone.engine.subscription;

import org.jspecify.annotations.NullMarked;
