package dev.flowstone.sdk.worker;

/**
 * What a worker has done so far.
 *
 * @param held attempts in its hands now
 * @param worked handlers that ended well
 * @param failed handlers that did not
 * @param heard answers that servers have acknowledged
 * @param unwanted answers that came too late to count
 * @param returned attempts given back unused at its stop
 */
public record WorkerCounts(int held, long worked, long failed, long heard, long unwanted, long returned) {}
