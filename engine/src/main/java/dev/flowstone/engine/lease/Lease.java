package dev.flowstone.engine.lease;

import java.time.Instant;

/**
 * The right to write a shard's runs.
 *
 * @param epoch grows by one at every takeover; each commit proves it
 * @param until in database time; the holder stops before
 */
public record Lease(Shard shard, String holder, long epoch, Instant until) {}
