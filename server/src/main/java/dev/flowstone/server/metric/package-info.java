/**
 * What is counted and timed, and how Prometheus reads it. Counters are this package's own, so that a whole commit can be
 * added to them at once; the library gives the model and the text. Every family is made in one place, {@link
 * dev.flowstone.server.metric.EngineFamilies} and its neighbours, and is described in {@code docs/metrics.md}, which a test
 * compares with them. No label takes what there may be any number of: runs are never one, and names that users make are
 * capped.
 */
@NullMarked
package dev.flowstone.server.metric;

import org.jspecify.annotations.NullMarked;
