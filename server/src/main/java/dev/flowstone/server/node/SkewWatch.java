package dev.flowstone.server.node;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.node.NodeLoad;
import dev.flowstone.engine.node.Skew;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.server.config.FlowstoneConfig;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.function.Supplier;

/**
 * Warns in the log of what is out of step on this node: once when it begins, and says when it is over. Something waits for longer
 * than is bearable, with who has most of it; or the clock and the database's have drifted apart.
 */
final class SkewWatch implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(SkewWatch.class.getName());
    private static final Duration EVERY = Duration.ofSeconds(5);

    private final Supplier<NodeLoad> load;
    private final Clock clock;
    private final FlowstoneConfig.Bearable bearable;
    private final Consumer<String> warnings;
    private final Set<Skew.Of> behind = EnumSet.noneOf(Skew.Of.class);
    private final CountDownLatch closed = new CountDownLatch(1);
    private boolean drifted;

    /**
     * One that looks when it is told to.
     *
     * @param warnings is told what begins, and what is over
     */
    SkewWatch(Supplier<NodeLoad> load, Clock clock, FlowstoneConfig.Bearable bearable, Consumer<String> warnings) {
        this.load = requireNonNull(load);
        this.clock = requireNonNull(clock);
        this.bearable = requireNonNull(bearable);
        this.warnings = requireNonNull(warnings);
    }

    /** One that looks every few seconds, until it is closed. */
    static SkewWatch start(Supplier<NodeLoad> load, Clock clock, FlowstoneConfig.Bearable bearable) {
        SkewWatch watch = new SkewWatch(load, clock, bearable, line -> LOG.log(Level.WARNING, line));
        Thread.ofVirtual().name("flowstone-skew").start(watch::look);
        return watch;
    }

    private void look() {
        try {
            while (!closed.await(EVERY.toMillis(), TimeUnit.MILLISECONDS)) {
                lookOnce();
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    void lookOnce() {
        NodeLoad now = load.get();
        for (Skew skew : Skew.of(now, clock.now())) {
            if (skew.oldest().compareTo(bearable.oldest()) <= 0) {
                if (behind.remove(skew.of())) {
                    warnings.accept(
                            name(skew.of()) + ": nothing waits for longer than " + bearable.oldest() + " any more");
                }
            } else if (behind.add(skew.of())) {
                warnings.accept(warning(skew));
            }
        }
        Duration ahead = Skew.clock(now);
        if (drifted != ahead.abs().compareTo(bearable.clock()) > 0) {
            drifted = !drifted;
            warnings.accept(
                    drifted
                            ? "this node's clock is " + ahead.abs() + (ahead.isNegative() ? " behind" : " ahead of")
                                    + " the database's: run a time service on both"
                            : "this node's clock and the database's agree again");
        }
    }

    private String warning(Skew skew) {
        String who = skew.busiest().isEmpty()
                ? ""
                : String.format(Locale.ROOT, "; most is of %s, %.1f times the mean", skew.busiest(), skew.share());
        return name(skew.of()) + ": something has waited for " + skew.oldest() + who;
    }

    private static String name(Skew.Of of) {
        return switch (of) {
            case SHARD -> "decisions, by shard";
            case TENANT -> "decisions, by tenant";
            case QUEUE -> "attempts, by action";
            case TIMERS -> "late timers, by shard";
        };
    }

    @Override
    public void close() {
        closed.countDown();
    }
}
