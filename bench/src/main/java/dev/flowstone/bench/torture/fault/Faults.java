package dev.flowstone.bench.torture.fault;

import static java.util.Objects.requireNonNull;

import dev.flowstone.bench.pair.DatabasePair;
import dev.flowstone.bench.torture.company.Company;
import dev.flowstone.bench.torture.company.Node;
import dev.flowstone.bench.torture.company.SmallDisk;
import dev.flowstone.bench.torture.fault.Fault.Step;
import dev.flowstone.bench.torture.net.FaultProxies;
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
                new Fault(
                        kind, "the worker", SHORT, List.of(), false, company.worker()::kill, company.worker()::restart);
            case DATABASE_STOP ->
                everywhere(
                        kind,
                        SHORT,
                        () -> {
                            proxies(FaultProxies::refuse);
                            company.crashDatabase();
                        },
                        () -> proxies(FaultProxies::clear));
            case SESSIONS -> everywhere(kind, Duration.ZERO, this::endSessions, () -> {});
            case LATENCY ->
                everywhere(
                        kind,
                        LONG,
                        () -> proxies(proxy -> proxy.slow(LATENCY, JITTER)),
                        () -> proxies(FaultProxies::clear));
            case ANSWER_LOST -> lostAnswers();
            case RESET -> everywhere(kind, Duration.ZERO, () -> proxies(FaultProxies::resetAll), () -> {});
            case CONNECTIONS -> connections();
            case DISK ->
                everywhere(
                        kind,
                        LONG,
                        this::fillDisk,
                        () -> company.disk().orElseThrow().free());
            case CLOCK -> clock(node);
            case FAILOVER -> failover();
            case SWITCHOVER -> ofPair(kind, () -> pair().switchover(), () -> {});
        };
    }

    private static Fault at(FaultKind kind, Node node, Duration lasts, Step begin, Step end) {
        return new Fault(kind, node.name(), lasts, List.of(node), true, begin, end);
    }

    private static Fault everywhere(FaultKind kind, Duration lasts, Step begin, Step end) {
        return new Fault(kind, EVERYWHERE, lasts, List.of(), false, begin, end);
    }

    private void proxies(Consumer<FaultProxies> what) {
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

    private void endSessions() throws Exception {
        if (EndedSessions.ofOthers(company.superuser()) == 0) {
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
                    proxies(FaultProxies::clear);
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
                () -> squatter.set(Squatter.begin(company.superuser())),
                () -> requireNonNull(squatter.get()).leave());
    }

    /** It stands still nowhere, so that nobody counts as away. */
    private Fault clock(Node node) {
        WrongClock clock = new WrongClock(node, company.rest());
        return new Fault(FaultKind.CLOCK, node.name(), beyond(lease), List.of(), false, clock::ahead, () -> {
            clock.behind();
            Thread.sleep(beyond(lease));
            clock.right();
        });
    }

    /** The server that died comes back when the other one is the primary; whatever is next waits until it has caught up. */
    private Fault failover() {
        AtomicReference<String> dead = new AtomicReference<>("");
        return ofPair(
                FaultKind.FAILOVER,
                () -> dead.set(pair().killLeader()),
                () -> pair().start(requireNonNull(dead.get())));
    }

    /** Nodes are all there, and go on by themselves with the other server. */
    private static Fault ofPair(FaultKind kind, Step begin, Step end) {
        return new Fault(kind, EVERYWHERE, Duration.ZERO, List.of(), true, begin, end);
    }

    private DatabasePair pair() {
        return company.pair().orElseThrow(() -> new IllegalStateException("there is nobody to take over"));
    }

    private static Duration beyond(Duration lease) {
        return lease.plusSeconds(4);
    }
}
