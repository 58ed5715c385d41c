package dev.flowstone.bench.load;

import org.HdrHistogram.Histogram;

/**
 * What a meter saw in some time.
 *
 * @param runs how long whole runs took, in microseconds
 * @param decisions how long decisions took from the queue to the commit, in microseconds
 * @param commits rounds of shards
 * @param finished runs that succeeded
 * @param failed runs that ended otherwise
 */
public record Reading(Histogram runs, Histogram decisions, long commits, long finished, long failed) {
    /** Both together, in histograms of their own. */
    public Reading plus(Reading later) {
        Histogram allRuns = runs.copy();
        allRuns.add(later.runs);
        Histogram allDecisions = decisions.copy();
        allDecisions.add(later.decisions);
        return new Reading(
                allRuns, allDecisions, commits + later.commits, finished + later.finished, failed + later.failed);
    }
}
