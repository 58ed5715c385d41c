package dev.flowstone.server.api;

import dev.flowstone.engine.Engine;
import dev.flowstone.engine.Ports;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.node.NodeLoad;
import dev.flowstone.engine.payload.PayloadReader;
import dev.flowstone.engine.read.RunHistory;
import dev.flowstone.engine.stuck.StuckFinder;
import dev.flowstone.engine.task.LinkLookup;
import dev.flowstone.engine.workflow.Workflows;
import dev.flowstone.server.definition.Programs;
import dev.flowstone.server.definition.PublishLints;
import dev.flowstone.server.execution.Starts;
import dev.flowstone.server.execution.States;
import dev.flowstone.server.health.HealthChecks;
import dev.flowstone.server.http.Forwarder;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Routes;
import dev.flowstone.server.metric.Meters;
import dev.flowstone.server.stream.EventStreams;
import dev.flowstone.server.subscription.SubscriptionControl;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;

/** All routes of this version. */
public final class Api {
    /** How long a change of a scope's setting waits for all shards. */
    private static final Duration ACKNOWLEDGED_WITHIN = Duration.ofSeconds(5);

    private Api() {}

    /**
     * Makes them.
     *
     * @param events close them before the server
     * @param subscriptions to events
     * @param preparedUntil up to when the journal has room made ahead
     * @param meters what a scrape reads
     * @param load how busy this node is
     * @param stuck finds runs that stand still; empty where there is no database to look at
     * @param setAside runs that this node can't go on with
     * @param health how this node fares
     * @param forwarder the way to other nodes
     */
    public static Routes routes(
            String version,
            Ports ports,
            Engine engine,
            Workflows workflows,
            Programs programs,
            PublishLints lints,
            Starts starts,
            EventStreams events,
            SubscriptionControl subscriptions,
            Supplier<Optional<Instant>> preparedUntil,
            Meters meters,
            Supplier<NodeLoad> load,
            Optional<StuckFinder> stuck,
            Supplier<Map<RunKey, String>> setAside,
            HealthChecks health,
            Forwarder forwarder) {
        List<Route> routes = new ArrayList<>();
        routes.addAll(new WorkflowRoutes(workflows, lints).routes());
        routes.add(new ExecuteRoute(starts, ports.runs()).route());
        RunHistory history = new RunHistory(ports.runs());
        States states = new States(history, programs);
        RunCalls calls = new RunCalls(engine, ports.runs());
        Elsewhere elsewhere = new Elsewhere(engine, forwarder);
        routes.addAll(new ExecutionRoutes(ports.runs(), ports.journal(), programs, states).routes());
        routes.addAll(new RunViewRoutes(history, states, calls).routes());
        routes.add(new HierarchyRoute(ports.runs()).route());
        routes.addAll(new VariableRoutes(calls).routes());
        routes.addAll(new ControlRoutes(calls, states, programs).routes());
        routes.addAll(new MendRoutes(engine, ports.runs(), calls).routes());
        routes.addAll(new ScopeRoutes(engine.control(), ACKNOWLEDGED_WITHIN).routes());
        routes.addAll(new MigrationRoutes(
                        new MigrationTargets(ports.workflows(), programs), ports.runs(), states, calls, elsewhere)
                .routes());
        routes.add(new ResetRoute(engine, ports.runs(), calls).route());
        routes.addAll(new TaskListRoutes(ports.humanTasks(), ports.runs(), calls).routes());
        routes.addAll(new HumanRoutes(calls).routes());
        WorkerRoutes workers = new WorkerRoutes(calls);
        routes.addAll(workers.routes());
        routes.addAll(new RemoteTaskRoutes(engine.remoteTasks(), elsewhere).routes());
        routes.add(new TaskBatchRoute(engine, workers, elsewhere).route());
        routes.addAll(new LinkRoutes(calls, LinkLookup.of(history, new PayloadReader(ports.journal()))).routes());
        routes.addAll(new SignalRoutes(calls).routes());
        routes.addAll(new AggregateRoutes(ports.runs()).routes());
        routes.addAll(new PolicyRoutes(ports.policies(), engine, ports.clock()).routes());
        routes.addAll(new OutboxRoutes(ports.outbox().control()).routes());
        routes.addAll(new EventRoutes(events).routes());
        routes.addAll(new SubscriptionRoutes(subscriptions, ports.clock()).routes());
        routes.addAll(new Health(engine::ready, preparedUntil, ports.clock()).routes());
        routes.add(new HealthRoute(health).route());
        routes.add(new StuckRoute(stuck, setAside, ports.runs(), elsewhere, ports.clock()).route());
        routes.add(new MetricsRoute(meters).route());
        routes.add(new SkewRoute(load, ports.clock()).route());
        routes.add(new ClusterRoute(ports.leases(), load, elsewhere).route());
        routes.add(new Index(version, routes).route());
        return new Routes(routes);
    }
}
