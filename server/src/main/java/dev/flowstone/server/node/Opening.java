package dev.flowstone.server.node;

import static java.util.Objects.requireNonNull;

import dev.flowstone.connectors.registry.ConnectorRegistry;
import dev.flowstone.engine.Ports;
import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.effect.Publisher;
import dev.flowstone.engine.node.EngineConfig;
import dev.flowstone.engine.node.EngineParts;
import dev.flowstone.engine.node.FlowstoneEngine;
import dev.flowstone.engine.ownership.Member;
import dev.flowstone.engine.read.RunHistory;
import dev.flowstone.engine.shard.Observer;
import dev.flowstone.engine.shard.StoredStates;
import dev.flowstone.engine.stuck.StuckFinder;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.engine.task.TaskConfig;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.expression.schedule.CronSchedules;
import dev.flowstone.server.catalog.ActionDesk;
import dev.flowstone.server.catalog.ActionSwitches;
import dev.flowstone.server.catalog.CatalogWatch;
import dev.flowstone.server.config.FlowstoneConfig;
import dev.flowstone.server.definition.Dialects;
import dev.flowstone.server.effect.SharedClient;
import dev.flowstone.server.effect.Webhooks;
import dev.flowstone.server.health.HealthChecks;
import dev.flowstone.server.health.HealthSources;
import dev.flowstone.server.log.RunLog;
import dev.flowstone.server.metric.BacklogGauges;
import dev.flowstone.server.metric.DeadLetterCounts;
import dev.flowstone.server.metric.DeadLetterGauges;
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
import dev.flowstone.server.metric.TriggerMetrics;
import dev.flowstone.server.subscription.EventsOut;
import dev.flowstone.server.subscription.Sinks;
import dev.flowstone.server.subscription.SubscriptionControl;
import dev.flowstone.server.template.StarterLibrary;
import dev.flowstone.server.template.TemplateDesk;
import dev.flowstone.server.trace.Tracing;
import dev.flowstone.server.trigger.TriggerDesk;
import dev.flowstone.templates.DocumentTemplates;
import dev.flowstone.triggers.condition.Activation;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Puts a {@link Flowstone} together on ports that are open, and lets it begin. Once. */
final class Opening {
    /** Of a node that told what it has, and then couldn't begin. */
    private static final Duration GOODBYE = Duration.ofSeconds(1);

    private final Ports ports;
    private final FlowstoneConfig config;
    private final String node;
    private final String description;
    private final Below below;
    private final Meters meters = new Meters();
    private final EventsOutMetrics out = new EventsOutMetrics();
    private final TriggerMetrics triggers = new TriggerMetrics();
    private HandlerRegistry inside = BuiltInActions.registry();
    private Tracing tracing = Tracing.off();
    private Map<String, Publisher> publishers = Map.of();
    private Observer observer = Observer.NONE;
    private DatabaseWait wait = DatabaseWait.NONE;

    /**
     * With the built-in actions, followed by nobody.
     *
     * @param node the engine's name; one that survives a restart takes its shards back at once
     * @param description where it keeps its runs, for people
     * @param below closed last
     */
    Opening(Ports ports, FlowstoneConfig config, String node, String description, Below below) {
        this.ports = ports.withDeadLetters(new DeadLetterCounts(meters).around(ports.deadLetters()));
        this.config = requireNonNull(config);
        this.node = requireNonNull(node);
        this.description = requireNonNull(description);
        this.below = requireNonNull(below);
    }

    /** As it is configured. */
    static Tracing tracing(FlowstoneConfig config) {
        return config.trace()
                .endpoint()
                .map(endpoint -> Tracing.to(
                        endpoint, config.trace().ratio(), config.trace().service()))
                .orElseGet(Tracing::off);
    }

    /** Instead of the built-in actions. */
    Opening handlers(HandlerRegistry handlers) {
        this.inside = requireNonNull(handlers);
        return this;
    }

    /** Closed with it. */
    Opening tracing(Tracing spans) {
        this.tracing = requireNonNull(spans);
        return this;
    }

    /** Of outbox messages, by destination; beside those that are configured. */
    Opening publishers(Map<String, Publisher> more) {
        this.publishers = Map.copyOf(more);
        return this;
    }

    /** Watches what its shards do. */
    Opening observer(Observer watcher) {
        this.observer = requireNonNull(watcher);
        return this;
    }

    /** For a database that goes away before it is ready. */
    Opening waiting(DatabaseWait forDatabase) {
        this.wait = requireNonNull(forDatabase);
        return this;
    }

    /** Returns when it is ready. */
    Flowstone open() throws CannotStartException {
        Webhooks webhooks = Webhooks.open(config.outbound(), config.outbox());
        try {
            return open(webhooks);
        } catch (CannotStartException | RuntimeException e) {
            webhooks.close();
            throw e;
        }
    }

    private Flowstone open(Webhooks webhooks) throws CannotStartException {
        Map<String, Publisher> everybody = new HashMap<>(webhooks.publishers());
        everybody.putAll(publishers);
        SharedClient client = new SharedClient(config);
        ScriptExpressions expressions = new ScriptExpressions(config.expressions());
        // Of its own: a document with thousands of places would push what workflows say out of what is kept compiled.
        DocumentTemplates documents = new DocumentTemplates(new ScriptExpressions(config.expressions()));
        TemplateDesk templates = new TemplateDesk(below.templates(), documents);
        ConnectorRegistry connectors = Connectors.open(config.connectors(), config.catalog(), client);
        ActionSwitches switches = new ActionSwitches(below.catalog());
        HandlerRegistry handlers = Vocabulary.actions(config, inside, connectors, client, templates)
                .switchedBy(switches);
        ActionDesk actions = new ActionDesk(below.catalog(), switches, Vocabulary.offer(connectors, handlers));
        wait.until(switches::refresh, "what is turned off in the catalog of actions can't be read");
        IdleLimits.warn(config.limits(), handlers.actions().keySet());
        EngineParts parts = EngineParts.of(ports, new TimedExpressions(expressions, meters), handlers)
                .withSchedules(new CronSchedules())
                .withPublishers(everybody)
                .withObserver(new Watchers(
                        new EngineMetrics(meters, ports.clock()),
                        new RunLog(config.log().requesterEmail()),
                        tracing.executions(new RunHistory(ports.runs())),
                        observer))
                .withTracer(tracing.runs());
        Dialects definitions = Vocabulary.definitions(config, expressions, handlers, connectors, switches, Set.of());
        // Before anything is run: what is turned off until this node is ready is heeded, too.
        CatalogWatch catalog = CatalogWatch.start(switches);
        try {
            FlowstoneEngine engine = FlowstoneEngine.start(engineConfig(webhooks), parts);
            try {
                return open(
                        engine,
                        handlers,
                        expressions,
                        definitions,
                        actions,
                        catalog,
                        templates,
                        client,
                        webhooks,
                        everybody.isEmpty());
            } catch (CannotStartException | RuntimeException e) {
                // Its threads would go on, on pools that are closed.
                engine.stop(Duration.ZERO);
                throw e;
            }
        } catch (CannotStartException | RuntimeException e) {
            catalog.end();
            catalog.await(GOODBYE);
            throw e;
        }
    }

    private Flowstone open(
            FlowstoneEngine engine,
            HandlerRegistry handlers,
            ScriptExpressions expressions,
            Dialects definitions,
            ActionDesk actions,
            CatalogWatch catalog,
            TemplateDesk templates,
            SharedClient client,
            Webhooks webhooks,
            boolean publishesNothing)
            throws CannotStartException {
        measure(engine);
        new ReadyWait(wait).until(engine::ready, engine::reachesDatabase);
        StarterLibrary.ship(below.workflowTemplates());
        Optional<StuckFinder> finder = finder(engine, handlers);
        Optional<StuckWatch> stuck = finder.map(it -> StuckWatch.start(
                it,
                engine::owns,
                engine::setAside,
                ports.clock(),
                config.stuck().every()));
        stuck.ifPresent(watch -> StuckGauges.addTo(meters, watch::counts));
        if (publishesNothing) {
            below.backlog()
                    .ifPresent(backlog -> IdleOutbox.warn(backlog, ports.clock().now()));
        }
        if (config.catalog().registersActions()) {
            catalog.tell(actions.catalog(), node, actions.offer());
        }
        Sinks sinks = new Sinks(webhooks.client(), config.outbox().webhooks(), config.events());
        return new Flowstone(
                node,
                description,
                ports,
                engine,
                definitions,
                config.catalog().draftExecution(),
                meters,
                tracing,
                below,
                SkewWatch.start(engine::load, ports.clock(), config.bearable()),
                finder,
                stuck,
                new HealthChecks(health(engine, stuck), config.health(), ports.clock()),
                client,
                webhooks,
                new SubscriptionControl(
                        below.subscriptions(), ports.feed(), ports.leases().shards(), sinks),
                EventsOut.start(
                        ports,
                        engine,
                        below.subscriptions().work(),
                        sinks,
                        out,
                        config.events().brokenAfter()),
                TriggerDesk.open(below.triggers(), new Activation(expressions), config.triggers(), triggers),
                templates,
                actions,
                catalog,
                config.deadLetters(),
                config.node().peers().isEmpty());
    }

    private EngineConfig engineConfig(Webhooks webhooks) {
        EngineConfig alone = EngineConfig.of(node)
                .withLease(config.node().lease())
                .withBounds(config.bounds())
                .withQuotas(config.quotas())
                .withClasses(config.classes())
                .withOutbox(webhooks.outbox())
                .withDeadLetters(config.deadLetters())
                .withTask(TaskConfig.DEFAULT
                        .withConcurrency(config.handlerConcurrency())
                        .withLimits(config.limits()));
        return config.node()
                .peers()
                .map(peers -> alone.withMember(new Member(node, peers.address(), release())))
                .orElse(alone);
    }

    private static String release() {
        String version = Flowstone.class.getPackage().getImplementationVersion();
        return version == null ? "development" : version;
    }

    private void measure(FlowstoneEngine engine) {
        LoadGauges.addTo(meters, engine::load);
        SkewGauges.addTo(meters, engine::load, ports.clock());
        below.backlog().ifPresent(backlog -> BacklogGauges.addTo(meters, backlog, ports.clock()));
        below.deadRows().ifPresent(rows -> DeadRowGauges.addTo(meters, rows));
        below.swept().ifPresent(swept -> swept.addTo(meters));
        DeadLetterGauges.addTo(meters, ports.deadLetters(), ports.clock());
        SubscriptionGauges.addTo(meters, below.subscriptions().work(), ports.clock());
        out.addTo(meters);
        triggers.addTo(meters);
        ProcessGauges.addTo(meters);
    }

    private Optional<StuckFinder> finder(FlowstoneEngine engine, HandlerRegistry handlers) {
        return below.suspects()
                .flatMap(suspects -> below.beside()
                        .map(journal -> new StuckFinder(
                                suspects,
                                new StoredStates(journal, ports.leases().shards(), engine.programs()),
                                config.stuck().after(),
                                handlers::isRemote)));
    }

    private HealthSources health(FlowstoneEngine engine, Optional<StuckWatch> stuck) {
        return new HealthSources(
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
    }
}
