package dev.flowstone.bench.torture;

import static java.util.Objects.requireNonNull;

import dev.flowstone.bench.torture.fault.FaultKind;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/**
 * How to torture.
 *
 * @param folder for everything that is written
 * @param pair whether the database is a pair of servers that fails over
 * @param main class of the command line, whose {@code serve} a node is
 * @param time for which new faults begin
 * @param once whether it is over when each kind has been
 * @param faults that are wanted
 * @param rate runs a second that are started
 * @param lease of the nodes' shards
 * @param calm between two faults
 */
public record TortureOptions(
        Path folder,
        boolean pair,
        String main,
        Duration time,
        boolean once,
        List<FaultKind> faults,
        double rate,
        Duration lease,
        Duration calm,
        long seed) {
    private static final Duration LEASE = Duration.ofSeconds(8);
    private static final Duration SHORT_LEASE = Duration.ofSeconds(4);
    private static final Duration CALM = Duration.ofSeconds(8);
    private static final Duration SHORT_CALM = Duration.ofSeconds(2);
    private static final Duration TAKEOVER = Duration.ofSeconds(6);
    private static final double RATE = 8;
    private static final List<FaultKind> SHORT =
            List.of(FaultKind.KILL, FaultKind.PAUSE, FaultKind.DATABASE_STOP, FaultKind.ANSWER_LOST);

    /** Those of the short form that one server can't have. */
    private static final List<FaultKind> SHORT_OF_PAIR = List.of(FaultKind.FAILOVER, FaultKind.SWITCHOVER);

    public TortureOptions {
        requireNonNull(folder);
        requireNonNull(main);
        requireNonNull(time);
        faults = List.copyOf(faults);
        requireNonNull(lease);
        requireNonNull(calm);
    }

    /** Every fault that can be had here, again and again. */
    public static TortureOptions of(Path folder, String main, Duration time, long seed) {
        return new TortureOptions(
                folder, false, main, time, false, List.of(FaultKind.values()), RATE, LEASE, CALM, seed);
    }

    /** Each of the worst four once, with a shorter lease. */
    public static TortureOptions shortest(Path folder, String main, long seed) {
        return new TortureOptions(folder, false, main, Duration.ZERO, true, SHORT, RATE, SHORT_LEASE, SHORT_CALM, seed);
    }

    /** On a pair of servers; the short form lets one take over from the other. */
    public TortureOptions onPair() {
        return new TortureOptions(
                folder, true, main, time, once, once ? SHORT_OF_PAIR : faults, rate, lease, calm, seed);
    }

    /**
     * Within which the other nodes have to do everything after one has gone: its lease runs out, its shards are divided and their
     * runs read, and dozens of runs started there have come to their end, on a machine that does all of that at once.
     */
    Duration longestTakeover() {
        return lease.plus(TAKEOVER);
    }

    public TortureOptions withFaults(List<FaultKind> others) {
        return new TortureOptions(folder, pair, main, time, once, others, rate, lease, calm, seed);
    }

    public TortureOptions withRate(double runs) {
        return new TortureOptions(folder, pair, main, time, once, faults, runs, lease, calm, seed);
    }
}
