package dev.flowstone.bench.torture.fault;

import static java.util.Objects.requireNonNull;

import dev.flowstone.bench.torture.company.Company;
import dev.flowstone.bench.torture.company.Node;
import dev.flowstone.bench.torture.company.SmallDisk;
import dev.flowstone.bench.torture.fault.Fault.Step;
import dev.flowstone.bench.torture.net.FaultProxy;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.postgres.EndedSessions;
import java.time.Duration;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/** What goes wrong in a company, by kind; where, and for how long, is drawn. */
final class Faults {
    private static final String EVERYWHERE = "everywhere";
    private static final Duration SHORT = Duration.ofSeconds(3);
    private static final Duration LONG = Duration.ofSeconds(8);
    private static final Duration LATENCY = Duration.ofMillis(80);
    private static final Duration JITTER = Duration.ofMillis(40);
    private static final Duration PATIENCE = Duration.ofSeconds(90);
    private static final int LOST = 3;
    private static final int UNAVAILABLE = 503;

    private final Company company;
    private final Duration lease;
    private final SplittableRandom random;

    Faults(Company company, Duration lease, SplittableRandom random) {
        this.company = requireNonNull(company);
        this.lease = requireNonNull(lease);
        this.random = requireNonNull(random);
    }

    Fault of(FaultKind kind) {
        Node node = company.nodes().get(random.nextInt(company.nodes().size()));
        Duration beyondLease = lease.multipliedBy(2).plusSeconds(2);
        return switch (kind) {
            case KILL -> at(kind, node, SHORT, node::kill, () -> start(node));
            case PAUSE -> at(kind, node, beyondLease, node::pause, node::resume);
            case RESTART -> at(kind, node, Duration.ZERO, () -> stop(node), () -> start(node));
            case HALF_OPEN -> at(kind, node, beyondLease, node.database()::standStill, node.database()::clear);
            case WORKER_KILL ->
                new Fault(kind, "the worker", SHORT, List.of(), company.worker()::kill, company.worker()::restart);
            case DATABASE_STOP ->
                everywhere(
                        kind,
                        SHORT,
                        () -> {
                            proxies(FaultProxy::refuse);
                            company.crashDatabase();
                        },
                        () -> proxies(FaultProxy::clear));
            case SESSIONS -> everywhere(kind, Duration.ZERO, this::endSessions, () -> {});
            case LATENCY ->
                everywhere(
                        kind,
                        LONG,
                        () -> proxies(proxy -> proxy.slow(LATENCY, JITTER)),
                        () -> proxies(FaultProxy::clear));
            case ANSWER_LOST -> lostAnswers();
            case RESET -> everywhere(kind, Duration.ZERO, () -> proxies(FaultProxy::resetAll), () -> {});
            case CONNECTIONS -> connections();
            case DISK ->
                everywhere(
                        kind,
                        LONG,
                        this::fillDisk,
                        () -> company.disk().orElseThrow().free());
            case CLOCK -> clock(node);
            case FAILOVER -> throw new IllegalArgumentException("there is nobody to take over");
        };
    }

    private static Fault at(FaultKind kind, Node node, Duration lasts, Step begin, Step end) {
        return new Fault(kind, node.name(), lasts, List.of(node), begin, end);
    }

    private static Fault everywhere(FaultKind kind, Duration lasts, Step begin, Step end) {
        return new Fault(kind, EVERYWHERE, lasts, List.of(), begin, end);
    }

    private void proxies(Consumer<FaultProxy> what) {
        company.nodes().forEach(node -> what.accept(node.database()));
    }

    private void start(Node node) throws Exception {
        node.start();
        company.awaitReady(node);
    }

    private static void stop(Node node) throws InterruptedException {
        if (!node.stop()) {
            throw new IllegalStateException(node.name() + " did not stop in good order, and in time");
        }
    }

    /** Returns when a node has been refused a write for it: PostgreSQL may live on what it has for a while. */
    private void fillDisk() throws Exception {
        SmallDisk disk = company.disk().orElseThrow();
        disk.fill();
        Proof.await(this::isAnyUnready, PATIENCE, "every node was ready on a full disk");
    }

    private boolean isAnyUnready() throws InterruptedException {
        for (Node node : company.nodes()) {
            if (company.rest()
                    .get(node, "/health/ready", SHORT)
                    .filter(answer -> answer.status() == UNAVAILABLE)
                    .isPresent()) {
                return true;
            }
        }
        return false;
    }

    private void endSessions() throws JournalException {
        if (EndedSessions.ofOthers(company.database()) == 0) {
            throw new IllegalStateException("the nodes have no sessions that could be ended");
        }
    }

    private Fault lostAnswers() {
        AtomicInteger before = new AtomicInteger();
        return everywhere(
                FaultKind.ANSWER_LOST,
                SHORT,
                () -> {
                    before.set(company.lostAnswers());
                    proxies(proxy -> proxy.loseCommitAnswers(LOST));
                },
                () -> {
                    awaitLost(before.get());
                    proxies(FaultProxy::clear);
                });
    }

    private void awaitLost(int before) throws Exception {
        Proof.await(
                () -> company.lostAnswers() > before,
                LONG,
                "no answer to a commit got lost (is none recognized any more?)");
    }

    private Fault connections() {
        AtomicReference<@Nullable Squatter> squatter = new AtomicReference<@Nullable Squatter>();
        return everywhere(
                FaultKind.CONNECTIONS,
                LONG,
                () -> squatter.set(Squatter.begin(company.database())),
                () -> requireNonNull(squatter.get()).leave());
    }

    /** It stands still nowhere, so that nobody counts as away. */
    private Fault clock(Node node) {
        WrongClock clock = new WrongClock(node, company.rest());
        return new Fault(FaultKind.CLOCK, node.name(), beyond(lease), List.of(), clock::ahead, () -> {
            clock.behind();
            Thread.sleep(beyond(lease));
            clock.right();
        });
    }

    private static Duration beyond(Duration lease) {
        return lease.plusSeconds(4);
    }
}
