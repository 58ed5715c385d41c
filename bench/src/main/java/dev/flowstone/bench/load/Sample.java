package dev.flowstone.bench.load;

/**
 * About a second of a measurement.
 *
 * @param second its end, since the beginning
 * @param perSecond how much was done, by the second
 * @param p50Millis half took at most so long; 0 if nothing was done
 * @param p95Millis 95 of 100 took at most so long
 */
public record Sample(double second, double perSecond, double p50Millis, double p95Millis) {}
