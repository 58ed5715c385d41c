package dev.flowstone.server.openapi;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.http.Area;
import dev.flowstone.server.http.Route;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** The document of all routes that have a documentation (OpenAPI 3.1). */
public final class OpenApi {
    static final String TOKEN = "token";
    static final String TENANT = "Tenant";
    static final String PRINCIPAL = "Principal";
    static final String ROLES = "Roles";
    static final String IDEMPOTENCY_KEY = "IdempotencyKey";
    static final String IF_MATCH = "IfMatch";
    static final String IF_NONE_MATCH = "IfNoneMatch";
    static final String LAST_EVENT_ID = "LastEventId";

    private static final String ABOUT =
            "Workflows and their executions. JSON in, JSON out; unknown query parameters and unknown members of bodies are"
                    + " refused. A list is a page: `next` is the `cursor` of the following one, and null at the end. A refusal"
                    + " is a Problem (RFC 9457), whose `code` is stable. Another tenant's things look as if there were none.";
    private static final String WHO_CALLS =
            "Where the server listens on the loopback interface and asks for no token, this header is believed. With a token it"
                    + " isn't needed.";

    private final String release;
    private final List<Route> routes;

    /** @param release of the server, which the document is of */
    public OpenApi(String release, List<Route> routes) {
        this.release = release;
        this.routes = routes.stream().filter(route -> route.doc().isPresent()).toList();
    }

    /** Made anew at each call; whoever serves it keeps it. */
    public JsonObject document() {
        return JsonObject.builder()
                .put("openapi", "3.1.1")
                .put("info", info())
                .put(
                        "servers",
                        new JsonArray(List.of(JsonObject.builder()
                                .put("url", "/")
                                .put("description", "The server that tells this.")
                                .build())))
                .put("tags", new JsonArray(tags()))
                .put("paths", paths())
                .put("components", components())
                .build();
    }

    private JsonObject info() {
        return JsonObject.builder()
                .put("title", "Flowstone")
                .put("version", release)
                .put("summary", "A workflow engine.")
                .put("description", ABOUT)
                .build();
    }

    private List<JsonValue> tags() {
        List<JsonValue> tags = new ArrayList<>();
        for (Area area : Area.values()) {
            if (routes.stream().anyMatch(route -> route.doc().orElseThrow().area() == area)) {
                tags.add(JsonObject.builder()
                        .put("name", area.title())
                        .put("description", area.says())
                        .build());
            }
        }
        return tags;
    }

    private JsonObject paths() {
        Map<String, JsonObject.Builder> paths = new LinkedHashMap<>();
        for (Route route : routes) {
            paths.computeIfAbsent(route.path(), _ -> JsonObject.builder())
                    .put(route.method().name().toLowerCase(Locale.ROOT), new Operation(route).json());
        }
        Map<String, JsonValue> built = new LinkedHashMap<>();
        paths.forEach((path, item) -> built.put(path, item.build()));
        return JsonObject.of(built);
    }

    private JsonObject components() {
        return JsonObject.builder()
                .put("schemas", JsonObject.of(used()))
                .put("parameters", parameters())
                .put("headers", headers())
                .put("responses", refusals())
                .put(
                        "securitySchemes",
                        JsonObject.builder()
                                .put(
                                        TOKEN,
                                        JsonObject.builder()
                                                .put("type", "http")
                                                .put("scheme", "bearer")
                                                .put("bearerFormat", "JWT")
                                                .put(
                                                        "description",
                                                        "A token of the issuer, with the tenant and the scopes in it, or the"
                                                                + " installation's own. Without tokens, a server on the loopback"
                                                                + " interface believes the headers.")
                                                .build())
                                .build())
                .build();
    }

    private static JsonObject refusals() {
        JsonObject.Builder refusals = JsonObject.builder();
        Problems.SHARED.forEach(
                (status, codes) -> refusals.put(Operation.shared(status), Operation.problem(status, codes)));
        return refusals.build();
    }

    /** The shapes that operations name, and those that these name. */
    private Map<String, JsonValue> used() {
        Map<String, JsonValue> all = Schemas.all();
        TreeSet<String> names = new TreeSet<>(List.of("Problem"));
        for (Route route : routes) {
            route.doc().orElseThrow().request().ifPresent(names::add);
            route.doc()
                    .orElseThrow()
                    .answers()
                    .forEach(answer -> answer.schema().ifPresent(names::add));
        }
        Map<String, JsonValue> used = new TreeMap<>();
        while (!names.isEmpty()) {
            String name = names.removeFirst();
            JsonValue shape = all.get(name);
            if (shape == null) {
                throw new IllegalStateException("no file beside OpenApi.class has the shape " + name);
            }
            if (used.put(name, shape) == null) {
                references(shape, names);
            }
        }
        return used;
    }

    private static void references(JsonValue value, Set<String> names) {
        switch (value) {
            case JsonArray(List<JsonValue> items) -> items.forEach(item -> references(item, names));
            case JsonObject object ->
                object.members().forEach((key, member) -> {
                    if (key.equals("$ref") && member instanceof JsonString(String text)) {
                        names.add(text.substring(text.lastIndexOf('/') + 1));
                    } else {
                        references(member, names);
                    }
                });
            default -> {
                // It names nothing.
            }
        }
    }

    private static JsonObject parameters() {
        return JsonObject.builder()
                .put(TENANT, parameter("Flowstone-Tenant", "Whose the call is; `default` if left out. " + WHO_CALLS))
                .put(
                        PRINCIPAL,
                        parameter(
                                "Flowstone-Principal",
                                "Who acts, `user:ID` or `service:ID`; `user:system` if left out. " + WHO_CALLS))
                .put(ROLES, parameter("Flowstone-Roles", "Who acts, too, with commas between them. " + WHO_CALLS))
                .put(
                        IDEMPOTENCY_KEY,
                        parameter(
                                "Idempotency-Key",
                                "Makes a start, or a call of an execution, repeatable: the same call under the same key is"
                                        + " made once."))
                .put(
                        IF_MATCH,
                        parameter(
                                "If-Match",
                                "The ETag of what was read, such as `\"r3\"`: nothing is changed if it has another by now."))
                .put(
                        IF_NONE_MATCH,
                        parameter("If-None-Match", "The ETag of what is known: 304 if it has none other by now."))
                .put(
                        LAST_EVENT_ID,
                        parameter(
                                "Last-Event-ID",
                                "The `id` that came last: the stream goes on behind it. `EventSource` sends it by itself."))
                .build();
    }

    private static JsonObject parameter(String header, String says) {
        return JsonObject.builder()
                .put("name", header)
                .put("in", "header")
                .put("description", says)
                .put("required", JsonBoolean.of(false))
                .put("schema", JsonObject.builder().put("type", "string").build())
                .build();
    }

    private static JsonObject headers() {
        return JsonObject.builder()
                .put("Correlation-Id", header("string", "The call's, which the server's log has, too."))
                .put("Accept", header("string", "The content type that the route takes."))
                .put("ETag", header("string", "Changes when what is told changes."))
                .put("Flowstone-Last-Seq", header("integer", "The number of the execution's last event."))
                .put("Link", header("string", "With `rel=\"help\"`, the page of the refusal's code (RFC 8288)."))
                .put("Location", header("string", "The path of what was made."))
                .put(
                        "Retry-After",
                        header("integer", "After so many seconds it makes sense to try again; not on each of them."))
                .put("X-RateLimit-Limit", header("integer", "How many calls a minute, where they are limited."))
                .put("X-RateLimit-Remaining", header("integer", "How many calls are left right now."))
                .build();
    }

    private static JsonObject header(String type, String says) {
        return JsonObject.builder()
                .put("description", says)
                .put("schema", JsonObject.builder().put("type", type).build())
                .build();
    }
}
