package dev.flowstone.bench.torture.check;

import java.util.List;
import java.util.stream.Stream;

/**
 * What became of everything.
 *
 * @param starts that were acknowledged
 * @param decisions likewise
 * @param signals likewise
 * @param lost what was acknowledged and isn't there, each in words
 * @param repeated what was acknowledged and is there more than once
 * @param duplicated effects that were applied more than once for one visit of a node
 * @param missing effects that a history tells, or a run's end demands, and the receiver never saw
 * @param attesting effects that couldn't be undone, and for which there isn't exactly one attestation, asked for and given
 * @param ended runs that ended otherwise than their definition says, or not at all
 * @param broken histories that don't hang together
 * @param effects that were applied
 * @param redeliveries attempts whose effect was there already
 * @param compensated effects that were undone without anybody's help
 * @param attested those that a person had to undo
 * @param refused of those, the ones that nothing could have undone
 */
public record Findings(
        long starts,
        long decisions,
        long signals,
        List<String> lost,
        List<String> repeated,
        List<String> duplicated,
        List<String> missing,
        List<String> attesting,
        List<String> ended,
        List<String> broken,
        long effects,
        long redeliveries,
        long compensated,
        long attested,
        long refused) {
    /** Of what has to be undone, the share that has to be without anybody's help. */
    private static final double LEAST_COMPENSATED = 0.99;

    public Findings {
        lost = List.copyOf(lost);
        repeated = List.copyOf(repeated);
        duplicated = List.copyOf(duplicated);
        missing = List.copyOf(missing);
        attesting = List.copyOf(attesting);
        ended = List.copyOf(ended);
        broken = List.copyOf(broken);
    }

    /** Everything that is wrong. */
    public List<String> wrong() {
        return Stream.of(lost, repeated, duplicated, missing, attesting, ended, broken)
                .flatMap(List::stream)
                .toList();
    }

    /** Whether more needed a person than may. */
    public boolean isCompensatedShort() {
        return compensatedShare() < LEAST_COMPENSATED;
    }

    /** Of the effects that had to be undone, which share was without anybody's help; 1 if there were none. */
    public double compensatedShare() {
        long all = compensated + attested;
        return all == 0 ? 1 : (double) compensated / all;
    }
}
