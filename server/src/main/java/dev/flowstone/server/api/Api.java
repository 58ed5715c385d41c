package dev.flowstone.server.api;

import dev.flowstone.engine.Engine;
import dev.flowstone.engine.Ports;
import dev.flowstone.engine.workflow.Workflows;
import dev.flowstone.server.definition.Programs;
import dev.flowstone.server.execution.Starts;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Routes;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/** All routes of this version. */
public final class Api {
    private Api() {}

    /**
     * Makes them.
     *
     * @param preparedUntil up to when the journal has room made ahead
     */
    public static Routes routes(
            String version,
            Ports ports,
            Engine engine,
            Workflows workflows,
            Programs programs,
            Starts starts,
            Supplier<Optional<Instant>> preparedUntil) {
        List<Route> routes = new ArrayList<>();
        routes.addAll(new WorkflowRoutes(workflows).routes());
        routes.add(new ExecuteRoute(starts, ports.runs()).route());
        routes.addAll(new ExecutionRoutes(ports.runs(), programs).routes());
        routes.addAll(new Health(engine::ready, preparedUntil, ports.clock()).routes());
        routes.add(new Index(version, routes).route());
        return new Routes(routes);
    }
}
