package dev.flowstone.server.api;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.api.doc.SystemDocs;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.Reply;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Scope;
import java.util.List;

/** What there is: every route, with its scope. */
public final class Index {
    private final String version;
    private final List<Route> routes;

    public Index(String version, List<Route> routes) {
        this.version = version;
        this.routes = List.copyOf(routes);
    }

    public Route route() {
        return Route.get("/api/v1", Scope.PUBLIC, SystemDocs.INDEX, this::index);
    }

    private Reply index(Call call) {
        List<JsonValue> items = routes.stream().<JsonValue>map(Index::json).toList();
        return Reply.json(
                200,
                JsonObject.builder()
                        .put("name", "Flowstone")
                        .put("version", version)
                        .put("routes", new JsonArray(items))
                        .build());
    }

    private static JsonObject json(Route route) {
        return JsonObject.builder()
                .put("method", route.method().name())
                .put("path", route.path())
                .put("scope", route.scope().toString())
                .build();
    }
}
