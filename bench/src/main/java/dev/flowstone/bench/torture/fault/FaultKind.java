package dev.flowstone.bench.torture.fault;

import dev.flowstone.bench.torture.check.Kind;
import dev.flowstone.bench.torture.company.CompanyConfig;
import dev.flowstone.bench.torture.company.SmallDisk;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** What can go wrong. */
public enum FaultKind {
    KILL("a node gets SIGKILL, and is started again"),
    PAUSE("a node stands still (SIGSTOP) for longer than its lease, and wakes late"),
    RESTART("a node stops in good order, and is started again"),
    WORKER_KILL("the worker of the runs' tasks, which webhooks go to as well, gets SIGKILL, and is started again"),
    DATABASE_STOP("the database stops at once, can't be reached for some seconds, and is started again"),
    SESSIONS("an administrator ends every session of the nodes"),
    LATENCY("each read of the database's answers, and each request, is a tenth of a second under way"),
    HALF_OPEN("a node's connections stay open, and nothing passes them"),
    ANSWER_LOST("the database commits, and the answer is lost"),
    RESET("every connection to the database is reset"),
    CONNECTIONS("every connection that the database takes is taken by somebody else"),
    DISK("the database's disk is full"),
    CLOCK("a node's clock is set forth, back, and right again"),
    FAILOVER("the primary database server dies, and the other one takes over"),
    SWITCHOVER("an operator lets the other database server take over");

    private final String meaning;

    FaultKind(String meaning) {
        this.meaning = meaning;
    }

    /** As options call it. */
    public String word() {
        return name().toLowerCase(Locale.ROOT).replace('_', '-');
    }

    public String meaning() {
        return meaning;
    }

    public static Optional<FaultKind> of(String word) {
        return Arrays.stream(values()).filter(kind -> kind.word().equals(word)).findFirst();
    }

    /** Whether others have to take over what a node had, and may not wait for its return. */
    public boolean takesOver() {
        return this == KILL || this == PAUSE || this == HALF_OPEN;
    }

    /** Runs of this kind have to start and finish everywhere for all to be well again. */
    Kind probe() {
        return this == WORKER_KILL ? Kind.SEQUENCE : Kind.PROBE;
    }

    /**
     * Why it can't be had here; empty if it can.
     *
     * @param pair whether the database is a pair of servers
     */
    public Optional<String> missing(boolean pair) {
        return switch (this) {
            case DISK -> disk(pair);
            case CLOCK ->
                CompanyConfig.hasFakeClocks()
                        ? Optional.empty()
                        : Optional.of("libfaketime is not installed (Debian: apt-get install faketime)");
            case FAILOVER, SWITCHOVER ->
                pair ? Optional.empty() : Optional.of("the embedded database has no standby: see --pair");
            case KILL,
                    PAUSE,
                    RESTART,
                    WORKER_KILL,
                    DATABASE_STOP,
                    SESSIONS,
                    LATENCY,
                    HALF_OPEN,
                    ANSWER_LOST,
                    RESET,
                    CONNECTIONS -> Optional.empty();
        };
    }

    private static Optional<String> disk(boolean pair) {
        if (pair) {
            return Optional.of("a pair's disks are the machine's");
        }
        return SmallDisk.isPossible()
                ? Optional.empty()
                : Optional.of("it takes the right to mount a file system in memory");
    }
}
