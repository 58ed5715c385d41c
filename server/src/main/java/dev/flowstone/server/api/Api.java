package dev.flowstone.server.api;

import dev.flowstone.engine.Engine;
import dev.flowstone.engine.Ports;
import dev.flowstone.engine.payload.PayloadReader;
import dev.flowstone.engine.read.RunHistory;
import dev.flowstone.engine.task.LinkLookup;
import dev.flowstone.server.definition.Programs;
import dev.flowstone.server.execution.States;
import dev.flowstone.server.help.HelpPages;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Routes;
import dev.flowstone.server.openapi.DocsPage;
import dev.flowstone.server.openapi.OpenApi;
import dev.flowstone.server.trigger.RemoteStarts;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** All routes of this version. */
public final class Api {
    /** How long a change of a scope's setting waits for all shards. */
    private static final Duration ACKNOWLEDGED_WITHIN = Duration.ofSeconds(5);

    private Api() {}

    /** Makes them. */
    public static Routes routes(String version, ApiParts parts) {
        Ports ports = parts.ports();
        Engine engine = parts.engine();
        Programs programs = parts.programs();
        List<Route> routes = new ArrayList<>();
        routes.addAll(new WorkflowRoutes(parts.workflows(), parts.lints()).routes());
        routes.add(new ExecuteRoute(parts.starts(), ports.runs(), parts.principalRequired(), parts.limits()).route());
        RunHistory history = new RunHistory(ports.runs());
        States states = new States(history, programs);
        RunCalls calls = new RunCalls(engine, ports.runs());
        Elsewhere elsewhere = new Elsewhere(engine, parts.forwarder());
        routes.addAll(new ExecutionRoutes(ports.runs(), ports.journal(), programs, states).routes());
        routes.addAll(new RunViewRoutes(history, programs, states, calls).routes());
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
        routes.addAll(new DeadLetterRoutes(
                        ports.deadLetters().control(),
                        ports.outbox().control(),
                        engine.deadLetters().queue())
                .routes());
        routes.addAll(new EventRoutes(parts.events(), calls).routes());
        routes.addAll(new SubscriptionRoutes(parts.subscriptions(), ports.clock()).routes());
        TriggerStart triggered = new TriggerStart(
                parts.triggers(),
                parts.launcher(),
                new StartReplies(ports.runs()),
                parts.limits(),
                new RemoteStarts(parts.forwarder()));
        routes.addAll(new TriggerRoutes(parts.triggers(), triggered, ports.clock()).routes());
        routes.add(new ScheduleRoute(parts.triggers().triggers(), ports.clock()).route());
        routes.addAll(new WebhookRoute(
                        parts.triggers(),
                        triggered,
                        parts.limits(),
                        parts.bounds().starts(),
                        ports.clock())
                .routes());
        routes.addAll(new TemplateSetRoutes(parts.templates().templates()).routes());
        routes.addAll(new TemplateRoutes(parts.templates()).routes());
        routes.addAll(new ConnectorRoutes(parts.actions()).routes());
        routes.addAll(new ActionRoutes(parts.actions()).routes());
        routes.addAll(new WorkflowTemplateRoutes(parts.workflowTemplates()).routes());
        routes.add(new EventIntakeRoute(parts.triggers(), parts.eventStarts(), parts.limits()).route());
        routes.addAll(
                new Health(engine::reachesDatabase, engine::ready, engine::begins, parts.preparedUntil(), ports.clock())
                        .routes());
        routes.add(new HealthRoute(parts.health()).route());
        routes.add(new StuckRoute(parts.stuck(), parts.setAside(), ports.runs(), elsewhere, ports.clock()).route());
        routes.add(new MetricsRoute(parts.meters()).route());
        routes.add(new SkewRoute(parts.load(), ports.clock()).route());
        routes.add(new ClusterRoute(ports.leases(), parts.load(), elsewhere).route());
        routes.add(new OpenApiRoute(() -> new OpenApi(version, routes)).route());
        routes.addAll(new DocsPage().routes());
        routes.addAll(new HelpPages().routes());
        routes.add(new Index(version, routes).route());
        return new Routes(routes);
    }
}
