package dev.flowstone.server.api;

import dev.flowstone.engine.Engine;
import dev.flowstone.engine.Ports;
import dev.flowstone.engine.workflow.Workflows;
import dev.flowstone.server.definition.Programs;
import dev.flowstone.server.execution.Starts;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Routes;
import java.util.ArrayList;
import java.util.List;

/** All routes of this version. */
public final class Api {
    private Api() {}

    public static Routes routes(String version, Ports ports, Engine engine, Workflows workflows, Programs programs) {
        List<Route> routes = new ArrayList<>();
        routes.addAll(new WorkflowRoutes(workflows).routes());
        routes.add(new ExecuteRoute(new Starts(ports, workflows, programs, engine), ports.runs()).route());
        routes.addAll(new ExecutionRoutes(ports.runs(), programs).routes());
        routes.addAll(new Health(engine::ready).routes());
        routes.add(new Index(version, routes).route());
        return new Routes(routes);
    }
}
