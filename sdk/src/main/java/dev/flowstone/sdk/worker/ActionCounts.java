package dev.flowstone.sdk.worker;

import java.time.Duration;

/**
 * What a worker's handlers of one action have done so far.
 *
 * @param running handlers that are at it now
 * @param worked that ended well, or skipped
 * @param failed that did not
 * @param took all of those together
 * @param longest the one that took longest
 */
public record ActionCounts(String action, int running, long worked, long failed, Duration took, Duration longest) {}
