package dev.flowstone.server.node;

import static java.util.Objects.requireNonNull;

import dev.flowstone.dialect.dag.DagDialect;
import dev.flowstone.dialect.states.StatesDialect;
import dev.flowstone.engine.Engine;
import dev.flowstone.engine.Ports;
import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.effect.Publisher;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.node.EngineParts;
import dev.flowstone.engine.node.FlowstoneEngine;
import dev.flowstone.engine.node.NodeLoad;
import dev.flowstone.engine.ownership.Member;
import dev.flowstone.engine.ownership.PostBox;
import dev.flowstone.engine.read.RunHistory;
import dev.flowstone.engine.shard.Observer;
import dev.flowstone.engine.shard.StoredStates;
import dev.flowstone.engine.stuck.StuckFinder;
import dev.flowstone.engine.task.ActionDescription;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.engine.task.TaskConfig;
import dev.flowstone.engine.workflow.Workflows;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.expression.schedule.CronSchedules;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.server.config.FlowstoneConfig;
import dev.flowstone.server.config.Webhook;
import dev.flowstone.server.definition.Dialects;
import dev.flowstone.server.definition.Programs;
import dev.flowstone.server.definition.PublishLints;
import dev.flowstone.server.effect.HttpAction;
import dev.flowstone.server.effect.KnownActions;
import dev.flowstone.server.effect.SharedClient;
import dev.flowstone.server.effect.WebhookAction;
import dev.flowstone.server.effect.Webhooks;
import dev.flowstone.server.execution.Starts;
import dev.flowstone.server.health.HealthChecks;
import dev.flowstone.server.health.HealthSources;
import dev.flowstone.server.log.RunLog;
import dev.flowstone.server.metric.BacklogGauges;
import dev.flowstone.server.metric.DeadRowGauges;
import dev.flowstone.server.metric.EngineMetrics;
import dev.flowstone.server.metric.EventsOutMetrics;
import dev.flowstone.server.metric.LoadGauges;
import dev.flowstone.server.metric.Meters;
import dev.flowstone.server.metric.ProcessGauges;
import dev.flowstone.server.metric.SkewGauges;
import dev.flowstone.server.metric.StuckGauges;
import dev.flowstone.server.metric.SubscriptionGauges;
import dev.flowstone.server.metric.TimedExpressions;
import dev.flowstone.server.subscription.EventsOut;
import dev.flowstone.server.subscription.Sinks;
import dev.flowstone.server.subscription.SubscriptionControl;
import dev.flowstone.server.trace.Tracing;
import java.time.Duration;
import java.time.Instant;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.UUID;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;

/** A Flowstone that runs workflows: a database, an engine on it, the catalog in front. Close it, and all of it ends. */
public final class Flowstone implements AutoCloseable {
    /** How long handlers may finish what they do when it closes. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    /** Longer than a lease that a dead node left behind. */
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final Duration LOOK = Duration.ofMillis(2);

    private final String node;
    private final String description;
    private final Ports ports;
    private final FlowstoneEngine engine;
    private final Workflows workflows;
    private final Programs programs;
    private final PublishLints lints;
    private final RunHistory history;
    private final boolean drafts;
    private final Meters meters;
    private final Tracing tracing;
    private final Below below;
    private final SkewWatch skew;
    private final Optional<StuckFinder> finder;
    private final Optional<StuckWatch> stuck;
    private final HealthChecks health;
    private final SharedClient client;
    private final Webhooks webhooks;
    private final SubscriptionControl subscriptions;
    private final EventsOut events;

    private Flowstone(
            String node,
            String description,
            Ports ports,
            FlowstoneEngine engine,
            Dialects definitions,
            boolean drafts,
            Meters meters,
            Tracing tracing,
            Below below,
            SkewWatch skew,
            Optional<StuckFinder> finder,
            Optional<StuckWatch> stuck,
            HealthChecks health,
            SharedClient client,
            Webhooks webhooks,
            SubscriptionControl subscriptions,
            EventsOut events) {
        this.node = requireNonNull(node);
        this.description = requireNonNull(description);
        this.ports = requireNonNull(ports);
        this.engine = requireNonNull(engine);
        this.workflows = new Workflows(ports.workflows(), definitions, ports.clock());
        this.programs = new Programs(ports.workflows());
        this.lints = new PublishLints(definitions, workflows, programs, ports.policies());
        this.history = new RunHistory(ports.runs());
        this.drafts = drafts;
        this.meters = requireNonNull(meters);
        this.tracing = requireNonNull(tracing);
        this.below = requireNonNull(below);
        this.skew = requireNonNull(skew);
        this.finder = requireNonNull(finder);
        this.stuck = requireNonNull(stuck);
        this.health = requireNonNull(health);
        this.client = requireNonNull(client);
        this.webhooks = requireNonNull(webhooks);
        this.subscriptions = requireNonNull(subscriptions);
        this.events = requireNonNull(events);
    }

    /** Opens the database, makes it if need be, and takes up every run that is not over. */
    public static Flowstone open(FlowstoneConfig config) throws CannotStartException {
        return open(config, BuiltInActions.registry());
    }

    /** The same with these actions, of which workflows may name each. */
    public static Flowstone open(FlowstoneConfig config, HandlerRegistry handlers) throws CannotStartException {
        return on(Store.open(config.database()), config, handlers);
    }

    /**
     * The same, waiting for a database that somebody else runs as long as it is away, which the log says.
     *
     * @param stopped whether nobody wants it any more
     */
    public static Flowstone openOnceThere(FlowstoneConfig config, BooleanSupplier stopped) throws CannotStartException {
        return on(Store.open(config.database(), new DatabaseWait(stopped)), config, BuiltInActions.registry());
    }

    private static Flowstone on(Store store, FlowstoneConfig config, HandlerRegistry handlers)
            throws CannotStartException {
        Below below = new OnStore(store, config);
        try {
            String otherwise = config.database().url().isPresent() ? "node-" + UUID.randomUUID() : "embedded";
            String node = config.node().name().orElse(otherwise);
            return on(store.ports(), config, handlers, node, config.database().toString(), below);
        } catch (CannotStartException | RuntimeException e) {
            below.close();
            throw e;
        }
    }

    /**
     * On ports that are open.
     *
     * @param node the engine's name; one that survives a restart takes its shards back at once
     * @param below closed last
     */
    public static Flowstone on(Ports ports, FlowstoneConfig config, String node, String description, Below below)
            throws CannotStartException {
        return on(ports, config, BuiltInActions.registry(), node, description, below);
    }

    /** The same while somebody watches what its shards do. */
    public static Flowstone watched(Ports ports, FlowstoneConfig config, String node, Observer observer)
            throws CannotStartException {
        return on(ports, config, BuiltInActions.registry(), node, node, () -> {}, Tracing.off(), Map.of(), observer);
    }

    private static Flowstone on(
            Ports ports, FlowstoneConfig config, HandlerRegistry inside, String node, String description, Below below)
            throws CannotStartException {
        Tracing tracing = config.trace()
                .endpoint()
                .map(endpoint -> Tracing.to(
                        endpoint, config.trace().ratio(), config.trace().service()))
                .orElseGet(Tracing::off);
        return on(ports, config, inside, node, description, below, tracing, Map.of(), Observer.NONE);
    }

    /**
     * The same, followed by somebody.
     *
     * @param tracing closed with it
     * @param publishers of outbox messages, by destination
     */
    public static Flowstone on(
            Ports ports,
            FlowstoneConfig config,
            HandlerRegistry inside,
            String node,
            String description,
            Below below,
            Tracing tracing,
            Map<String, Publisher> publishers)
            throws CannotStartException {
        return on(ports, config, inside, node, description, below, tracing, publishers, Observer.NONE);
    }

    private static Flowstone on(
            Ports ports,
            FlowstoneConfig config,
            HandlerRegistry inside,
            String node,
            String description,
            Below below,
            Tracing tracing,
            Map<String, Publisher> publishers,
            Observer observer)
            throws CannotStartException {
        Webhooks webhooks = Webhooks.open(config.outbound(), config.outbox());
        try {
            Map<String, Publisher> all = new HashMap<>(webhooks.publishers());
            all.putAll(publishers);
            return on(ports, config, inside, node, description, below, tracing, all, observer, webhooks);
        } catch (CannotStartException | RuntimeException e) {
            webhooks.close();
            throw e;
        }
    }

    private static Flowstone on(
            Ports ports,
            FlowstoneConfig config,
            HandlerRegistry inside,
            String node,
            String description,
            Below below,
            Tracing tracing,
            Map<String, Publisher> publishers,
            Observer observer,
            Webhooks webhooks)
            throws CannotStartException {
        SharedClient client = new SharedClient(config);
        HandlerRegistry handlers = withOthers(config, inside, client);
        IdleLimits.warn(config.limits(), handlers.actions().keySet());
        ScriptExpressions expressions = new ScriptExpressions();
        EngineConfig alone = EngineConfig.of(node)
                .withLease(config.node().lease())
                .withBounds(config.bounds())
                .withQuotas(config.quotas())
                .withClasses(config.classes())
                .withOutbox(webhooks.outbox())
                .withTask(TaskConfig.DEFAULT
                        .withConcurrency(config.handlerConcurrency())
                        .withLimits(config.limits()));
        EngineConfig engineConfig = config.node()
                .peers()
                .map(peers -> alone.withMember(new Member(node, peers.address(), release())))
                .orElse(alone);
        Meters meters = new Meters();
        EngineParts parts = EngineParts.of(ports, new TimedExpressions(expressions, meters), handlers)
                .withSchedules(new CronSchedules())
                .withPublishers(publishers)
                .withObserver(new Watchers(new EngineMetrics(meters, ports.clock()), new RunLog(), observer))
                .withTracer(tracing.runs());
        FlowstoneEngine engine = FlowstoneEngine.start(engineConfig, parts);
        LoadGauges.addTo(meters, engine::load);
        SkewGauges.addTo(meters, engine::load, ports.clock());
        below.backlog().ifPresent(backlog -> BacklogGauges.addTo(meters, backlog, ports.clock()));
        below.deadRows().ifPresent(rows -> DeadRowGauges.addTo(meters, rows));
        below.swept().ifPresent(swept -> swept.addTo(meters));
        SubscriptionGauges.addTo(meters, below.subscriptions().work(), ports.clock());
        EventsOutMetrics out = new EventsOutMetrics();
        out.addTo(meters);
        ProcessGauges.addTo(meters);
        awaitReady(engine);
        Optional<StuckFinder> finder = finder(ports, config, engine, below, handlers);
        Optional<StuckWatch> stuck = finder.map(it -> StuckWatch.start(
                it,
                engine::owns,
                engine::setAside,
                ports.clock(),
                config.stuck().every()));
        stuck.ifPresent(watch -> StuckGauges.addTo(meters, watch::counts));
        HealthSources sources = new HealthSources(
                node,
                engine::ready,
                ports.leases(),
                config.node().lease().timeToLive(),
                engine::load,
                below.backlog(),
                below.deadRows(),
                below.partitions(),
                below.freeConnections(),
                below::freeDisk,
                below.subscriptions().work()::broken,
                () -> stuck.map(StuckWatch::counts).orElse(Map.of()));
        if (publishers.isEmpty()) {
            below.backlog()
                    .ifPresent(backlog -> IdleOutbox.warn(backlog, ports.clock().now()));
        }
        Sinks sinks = new Sinks(webhooks.client(), config.outbox().webhooks(), config.events());
        return new Flowstone(
                node,
                description,
                ports,
                engine,
                definitions(config, expressions, handlers, Set.of()),
                config.draftExecution(),
                meters,
                tracing,
                below,
                SkewWatch.start(engine::load, ports.clock(), config.bearable()),
                finder,
                stuck,
                new HealthChecks(sources, config.health(), ports.clock()),
                client,
                webhooks,
                new SubscriptionControl(
                        below.subscriptions(), ports.feed(), ports.leases().shards(), sinks),
                EventsOut.start(
                        ports,
                        engine,
                        below.subscriptions(),
                        sinks,
                        out,
                        config.events().brokenAfter()));
    }

    private static Optional<StuckFinder> finder(
            Ports ports, FlowstoneConfig config, FlowstoneEngine engine, Below below, HandlerRegistry handlers) {
        return below.suspects()
                .flatMap(suspects -> below.beside()
                        .map(journal -> new StuckFinder(
                                suspects,
                                new StoredStates(journal, ports.leases().shards(), engine.programs()),
                                config.stuck().after(),
                                handlers::isRemote)));
    }

    /** What checks definitions, without a database. */
    public static Dialects definitions(FlowstoneConfig config) {
        return definitions(config, Set.of());
    }

    /** The same, with actions that somebody stands ready to answer for, beside the built-in ones. */
    public static Dialects definitions(FlowstoneConfig config, Set<String> actions) {
        HandlerRegistry handlers = withOthers(config, BuiltInActions.registry(), new SharedClient(config));
        return definitions(config, new ScriptExpressions(), handlers, actions);
    }

    /** With the actions that send requests and webhooks, and those that workers in other processes do. */
    private static HandlerRegistry withOthers(FlowstoneConfig config, HandlerRegistry inside, SharedClient client) {
        HandlerRegistry.Builder all =
                HandlerRegistry.builder().addAll(inside).action(HttpAction.DESCRIPTION, new HttpAction(client));
        WebhookAction.register(
                all, config.outbox().webhooks().stream().map(Webhook::name).collect(Collectors.toUnmodifiableSet()));
        for (HandlerName action : config.workerActions()) {
            all.remote(new ActionDescription(action, "Done by workers in other processes.", List.of()));
        }
        return all.build();
    }

    private static Dialects definitions(
            FlowstoneConfig config, ScriptExpressions expressions, HandlerRegistry handlers, Set<String> more) {
        Set<String> actions = new TreeSet<>(more);
        handlers.actions().keySet().stream().map(HandlerName::value).forEach(actions::add);
        return new Dialects(
                new DagDialect(expressions),
                config.dag(),
                new StatesDialect(expressions),
                config.states(),
                new KnownActions(actions));
    }

    private static String release() {
        String version = Flowstone.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    private static void awaitReady(Engine engine) throws CannotStartException {
        long end = System.nanoTime() + PATIENCE.toNanos();
        while (!engine.ready()) {
            if (System.nanoTime() > end || Thread.currentThread().isInterrupted()) {
                engine.stop(Duration.ZERO);
                throw new CannotStartException("no shard of this database could be acquired within "
                        + PATIENCE.toSeconds() + " s: another Flowstone holds them, or the database does not answer");
            }
            LockSupport.parkNanos(LOOK.toNanos());
        }
    }

    /** Where it keeps its runs, for people. */
    public String description() {
        return description;
    }

    /** Up to when the journal's partitions are made; a health value. */
    public Optional<Instant> preparedUntil() {
        return below.preparedUntil();
    }

    /** By which it holds leases. */
    public String node() {
        return node;
    }

    /** Where nodes leave calls for each other, if there is such a place. */
    public Optional<PostBox> postBox() {
        return below.postBox();
    }

    /** What is counted and timed here. */
    public Meters meters() {
        return meters;
    }

    /** Where spans are made. */
    public Tracing tracing() {
        return tracing;
    }

    public Ports ports() {
        return ports;
    }

    public Engine engine() {
        return engine;
    }

    public Workflows workflows() {
        return workflows;
    }

    public Programs programs() {
        return programs;
    }

    /** What is said of a version when it is published. */
    public PublishLints lints() {
        return lints;
    }

    public RunHistory history() {
        return history;
    }

    public Starts starts() {
        return new Starts(ports, workflows, programs, engine, drafts);
    }

    /** Who gets which events, for people. */
    public SubscriptionControl subscriptions() {
        return subscriptions;
    }

    /** How busy it is. */
    public NodeLoad load() {
        return engine.load();
    }

    /** Finds runs that stand still; empty where there is no database to look at. */
    public Optional<StuckFinder> stuck() {
        return finder;
    }

    /** Runs that can't go on here, each with its reason. */
    public Map<RunKey, String> setAside() {
        return engine.setAside();
    }

    /** How it fares. */
    public HealthChecks health() {
        return health;
    }

    /** Stops in good order: what handlers don't finish within the grace is given back and made again at the next start. */
    @Override
    public void close() {
        skew.close();
        stuck.ifPresent(StuckWatch::close);
        events.close();
        try {
            engine.stop(GRACE);
        } finally {
            client.close();
            webhooks.close();
            tracing.close();
            below.close();
        }
    }
}
