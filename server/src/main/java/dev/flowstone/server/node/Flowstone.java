package dev.flowstone.server.node;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.Engine;
import dev.flowstone.engine.Ports;
import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.dead.DeadLetterConfig;
import dev.flowstone.engine.effect.Publisher;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.node.FlowstoneEngine;
import dev.flowstone.engine.node.NodeLoad;
import dev.flowstone.engine.ownership.PostBox;
import dev.flowstone.engine.read.RunHistory;
import dev.flowstone.engine.shard.Observer;
import dev.flowstone.engine.stuck.StuckFinder;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.engine.time.TimeLeft;
import dev.flowstone.engine.trigger.Triggers;
import dev.flowstone.engine.workflow.Workflows;
import dev.flowstone.server.catalog.ActionDesk;
import dev.flowstone.server.catalog.CatalogWatch;
import dev.flowstone.server.config.FlowstoneConfig;
import dev.flowstone.server.definition.Dialects;
import dev.flowstone.server.definition.Programs;
import dev.flowstone.server.definition.PublishLints;
import dev.flowstone.server.effect.SharedClient;
import dev.flowstone.server.effect.Webhooks;
import dev.flowstone.server.execution.Starts;
import dev.flowstone.server.health.HealthChecks;
import dev.flowstone.server.http.Forwarder;
import dev.flowstone.server.metric.Meters;
import dev.flowstone.server.subscription.EventsOut;
import dev.flowstone.server.subscription.SubscriptionControl;
import dev.flowstone.server.template.Drafting;
import dev.flowstone.server.template.TemplateDesk;
import dev.flowstone.server.template.WorkflowTemplateDesk;
import dev.flowstone.server.trace.Tracing;
import dev.flowstone.server.trigger.ArrivalRetrier;
import dev.flowstone.server.trigger.EventLoop;
import dev.flowstone.server.trigger.EventStarts;
import dev.flowstone.server.trigger.Launcher;
import dev.flowstone.server.trigger.LostArrivals;
import dev.flowstone.server.trigger.RemoteStarts;
import dev.flowstone.server.trigger.ScheduleLoop;
import dev.flowstone.server.trigger.SignalSender;
import dev.flowstone.server.trigger.SilentShards;
import dev.flowstone.server.trigger.TriggerDesk;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.UUID;
import java.util.concurrent.Executor;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;

/** A Flowstone that runs workflows: a database, an engine on it, the catalog in front. Close it, and all of it ends. */
public final class Flowstone implements AutoCloseable {
    /** How long handlers may finish what they do when it closes. */
    private static final Duration GRACE = Duration.ofSeconds(5);

    /** For what may wait. */
    private static final Executor WAITING =
            task -> Thread.ofVirtual().name("flowstone-retry").start(task);

    private final String node;
    private final String description;
    private final Ports ports;
    private final FlowstoneEngine engine;
    private final Workflows workflows;
    private final Programs programs;
    private final PublishLints lints;
    private final RunHistory history;
    private final Starts starts;
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
    private final TriggerDesk triggers;
    private final TemplateDesk templates;
    private final ActionDesk actions;
    private final CatalogWatch catalog;
    private final WorkflowTemplateDesk workflowTemplates;
    private final Launcher launcher;
    private final ScheduleLoop schedules;
    private final EventStarts eventStarts;
    private final EventLoop eventTriggers;

    /** The way to other nodes, once there is one. */
    private volatile Forwarder others = Forwarder.NONE;

    /** @param isAlone whether there are no others to {@linkplain #reachOthersBy reach} */
    Flowstone(
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
            EventsOut events,
            TriggerDesk triggers,
            TemplateDesk templates,
            ActionDesk actions,
            CatalogWatch catalog,
            DeadLetterConfig deadLetters,
            boolean isAlone) {
        this.node = requireNonNull(node);
        this.description = requireNonNull(description);
        this.ports = requireNonNull(ports);
        this.engine = requireNonNull(engine);
        this.workflows = new Workflows(ports.workflows(), definitions, ports.clock());
        this.programs = new Programs(ports.workflows());
        this.lints = new PublishLints(definitions, workflows, programs, ports.policies());
        this.history = new RunHistory(ports.runs());
        this.starts = new Starts(ports, workflows, programs, engine, drafts);
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
        this.triggers = requireNonNull(triggers);
        this.templates = requireNonNull(templates);
        this.actions = requireNonNull(actions);
        this.catalog = requireNonNull(catalog);
        this.workflowTemplates =
                new WorkflowTemplateDesk(below.workflowTemplates(), new Drafting(workflows, definitions));
        LostArrivals lost = new LostArrivals(ports.deadLetters(), deadLetters);
        SilentShards silent = new SilentShards(engine::leases, System::nanoTime);
        SignalSender signals = new SignalSender(engine, triggers.activation(), silent);
        this.launcher = new Launcher(triggers.activation(), starts, signals, lost, silent);
        RemoteStarts elsewhere = new RemoteStarts((owner, call) -> others.forward(owner, call));
        engine.deadLetters().retry(LostArrivals.SOURCE, new ArrivalRetrier(triggers, launcher, elsewhere, WAITING));
        this.schedules = ScheduleLoop.start(
                triggers.triggers().schedules(), launcher, engine, ports.clock(), triggers.rules(), triggers.metrics());
        this.eventStarts = new EventStarts(triggers, launcher, lost, elsewhere, ports.clock());
        this.eventTriggers = EventLoop.of(
                ports,
                engine,
                triggers.triggers().events(),
                eventStarts,
                triggers.rules().events());
        if (isAlone) {
            eventTriggers.begin();
        }
    }

    /** Opens the database, makes it if need be, and takes up every run that is not over. */
    public static Flowstone open(FlowstoneConfig config) throws CannotStartException {
        return open(config, BuiltInActions.registry());
    }

    /** The same with these actions, of which workflows may name each. */
    public static Flowstone open(FlowstoneConfig config, HandlerRegistry handlers) throws CannotStartException {
        return on(Store.open(config.database()), config, handlers, DatabaseWait.NONE);
    }

    /**
     * The same, waiting for a database that somebody else runs as long as it is away, at first or before all is ready, which the
     * log says.
     *
     * @param stopped whether nobody wants it any more
     */
    public static Flowstone openOnceThere(FlowstoneConfig config, BooleanSupplier stopped) throws CannotStartException {
        DatabaseWait wait = config.database().url().isPresent() ? new DatabaseWait(stopped) : DatabaseWait.NONE;
        return on(Store.open(config.database(), wait), config, BuiltInActions.registry(), wait);
    }

    private static Flowstone on(Store store, FlowstoneConfig config, HandlerRegistry handlers, DatabaseWait wait)
            throws CannotStartException {
        Below below = new OnStore(store, config);
        try {
            String otherwise = config.database().url().isPresent() ? "node-" + UUID.randomUUID() : "embedded";
            String node = config.node().name().orElse(otherwise);
            return new Opening(store.ports(), config, node, config.database().toString(), below)
                    .handlers(handlers)
                    .tracing(Opening.tracing(config))
                    .waiting(wait)
                    .open();
        } catch (CannotStartException | RuntimeException e) {
            below.close();
            throw e;
        }
    }

    /** On ports that are open, while somebody watches what its shards do. */
    public static Flowstone watched(
            Ports ports, Triggers triggers, FlowstoneConfig config, String node, Observer observer)
            throws CannotStartException {
        Below below = new Below() {
            @Override
            public Triggers triggers() {
                return triggers;
            }

            @Override
            public void close() {
                // Whoever has opened the ports closes them.
            }
        };
        return new Opening(ports, config, node, node, below).observer(observer).open();
    }

    /**
     * On ports that are open.
     *
     * @param node the engine's name; one that survives a restart takes its shards back at once
     * @param below closed last
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
        return new Opening(ports, config, node, description, below)
                .handlers(inside)
                .tracing(tracing)
                .publishers(publishers)
                .open();
    }

    /** What checks definitions, without a database. */
    public static Dialects definitions(FlowstoneConfig config) throws CannotStartException {
        return new OfflineDefinitions().of(config, Set.of());
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
        return starts;
    }

    /** Who gets which events, for people. */
    public SubscriptionControl subscriptions() {
        return subscriptions;
    }

    /** Document templates. */
    public TemplateDesk templates() {
        return templates;
    }

    /** Connectors and actions. */
    public ActionDesk actions() {
        return actions;
    }

    /** Workflow templates. */
    public WorkflowTemplateDesk workflowTemplates() {
        return workflowTemplates;
    }

    /** What starts executions, and what comes for it. */
    public TriggerDesk triggers() {
        return triggers;
    }

    /** Starts what they start. */
    public Launcher launcher() {
        return launcher;
    }

    /** Starts what events start. */
    public EventStarts eventStarts() {
        return eventStarts;
    }

    /** Has it ask other nodes this way for what their shards have; one that isn't alone follows events from then on. */
    public void reachOthersBy(Forwarder forwarder) {
        others = requireNonNull(forwarder);
        eventTriggers.begin();
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
        close(left -> {});
    }

    /**
     * The same, while others end who still need it.
     *
     * @param others waits for them, for what it is told is left of the time that a stop may take
     */
    void close(Consumer<Duration> others) {
        try {
            skew.close();
            catalog.end();
            stuck.ifPresent(StuckWatch::close);
            below.end();
            events.end();
            schedules.end();
            eventTriggers.end();
        } finally {
            stop(others);
        }
    }

    private void stop(Consumer<Duration> others) {
        try {
            engine.stop(GRACE, time -> {
                TimeLeft left = TimeLeft.of(time);
                others.accept(left.left());
                events.await(left.left());
                schedules.await(left.left());
                eventTriggers.await(left.left());
                catalog.await(left.left());
                // Last: what was just committed has still to be told of.
                triggers.await(left.left());
            });
        } finally {
            triggers.close();
            events.close();
            schedules.close();
            eventTriggers.close();
            client.close();
            webhooks.close();
            tracing.close();
            below.close();
        }
    }
}
