package dev.flowstone.server.openapi;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.http.BodyRule;
import dev.flowstone.server.http.Budget;
import dev.flowstone.server.http.Doc;
import dev.flowstone.server.http.Parameter;
import dev.flowstone.server.http.ParameterType;
import dev.flowstone.server.http.ProblemCode;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Scope;
import dev.flowstone.triggers.event.CloudEventReader;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** One route as an operation of the document. */
final class Operation {
    private static final String JSON = "application/json";
    private static final String PROBLEM = "Problem";
    private static final int REFUSED = 400;

    private final Route route;
    private final Doc doc;

    /** @param route one that has a documentation */
    Operation(Route route) {
        this.route = route;
        this.doc = route.doc().orElseThrow();
    }

    JsonObject json() {
        JsonObject.Builder json = JsonObject.builder()
                .put("operationId", doc.operation())
                .put("tags", texts(List.of(doc.area().title())))
                .put("summary", doc.summary())
                .put("description", doc.summary() + ". " + takes())
                .put("parameters", new JsonArray(parameters()))
                .put("responses", responses())
                .put("security", new JsonArray(security()));
        doc.request().ifPresent(schema -> json.put("requestBody", body(schema)));
        return json.build();
    }

    private String takes() {
        return route.scope() == Scope.PUBLIC ? "For everybody." : "Takes the scope `" + route.scope() + "`.";
    }

    private List<JsonValue> security() {
        if (route.scope() == Scope.PUBLIC) {
            return List.of();
        }
        JsonArray scopes = texts(List.of(route.scope().toString()));
        return List.of(JsonObject.builder().put(OpenApi.TOKEN, scopes).build());
    }

    private List<JsonValue> parameters() {
        List<JsonValue> all = new ArrayList<>();
        PathVariables.of(route).forEach(variable -> all.add(parameter(variable.needed(), "path")));
        route.query().forEach(parameter -> all.add(parameter(parameter, "query")));
        if (route.scope() != Scope.PUBLIC) {
            all.add(shared(OpenApi.TENANT));
        }
        if (route.method().mutates()) {
            all.add(shared(OpenApi.PRINCIPAL));
            all.add(shared(OpenApi.ROLES));
            all.add(shared(OpenApi.IDEMPOTENCY_KEY));
        }
        if (doc.version() == Doc.Version.REVISION && route.method().mutates()) {
            all.add(shared(OpenApi.IF_MATCH));
        }
        if (isTagged()) {
            all.add(shared(OpenApi.IF_NONE_MATCH));
        }
        if (doc.headers().contains(Doc.Header.LAST_EVENT_ID)) {
            all.add(shared(OpenApi.LAST_EVENT_ID));
        }
        return all;
    }

    private boolean hasTag() {
        return doc.version() != Doc.Version.NONE && doc.version() != Doc.Version.LAST_EVENT;
    }

    /** Whether who has the answer can ask whether it is still that. */
    private boolean isTagged() {
        return hasTag()
                && doc.version() != Doc.Version.CHANGES
                && !route.method().mutates();
    }

    private static JsonObject parameter(Parameter parameter, String in) {
        JsonObject.Builder json = JsonObject.builder()
                .put("name", parameter.name())
                .put("in", in)
                .put("description", parameter.says())
                .put("required", JsonBoolean.of(parameter.required()))
                .put("schema", parameter.type().schema());
        if (parameter.deprecated()) {
            json.put("deprecated", JsonBoolean.of(true));
        }
        if (parameter.type() instanceof ParameterType.Words) {
            json.put("style", "form").put("explode", JsonBoolean.of(false));
        }
        return json.build();
    }

    private static JsonObject shared(String parameter) {
        return JsonObject.builder()
                .put("$ref", "#/components/parameters/" + parameter)
                .build();
    }

    private JsonObject body(String schema) {
        return JsonObject.builder()
                .put("required", JsonBoolean.of(route.body() == BodyRule.REQUIRED))
                .put("content", route.body() == BodyRule.ANY ? events(schema) : content(JSON, Optional.of(schema)))
                .build();
    }

    /** Of events: one, or a batch of them; in binary mode it is anything, and the rest are headers. */
    private static JsonObject events(String schema) {
        Map<String, JsonValue> contents = new LinkedHashMap<>();
        contents.putAll(content(JSON, Optional.of(schema)).members());
        contents.putAll(
                content("application/cloudevents+json", Optional.of(schema)).members());
        contents.put(
                "application/cloudevents-batch+json",
                JsonObject.builder()
                        .put(
                                "schema",
                                JsonObject.builder()
                                        .put("type", "array")
                                        .put("items", reference(schema))
                                        .put("maxItems", CloudEventReader.EVENTS)
                                        .build())
                        .build());
        return JsonObject.of(contents);
    }

    private static JsonObject reference(String schema) {
        return JsonObject.builder()
                .put("$ref", "#/components/schemas/" + schema)
                .build();
    }

    private static JsonObject content(String mediaType, Optional<String> schema) {
        JsonObject shape = schema.map(Operation::reference)
                .orElseGet(() -> JsonObject.builder().put("type", "string").build());
        return JsonObject.builder()
                .put(mediaType, JsonObject.builder().put("schema", shape).build())
                .build();
    }

    private JsonObject responses() {
        Map<String, JsonValue> responses = new LinkedHashMap<>();
        Map<Integer, List<Doc.Answer>> answers = doc.answers().stream()
                .filter(answer -> answer.status() < REFUSED)
                .collect(Collectors.groupingBy(Doc.Answer::status, LinkedHashMap::new, Collectors.toList()));
        answers.forEach((status, alike) -> responses.put(Integer.toString(status), response(alike)));
        if (isTagged()) {
            responses.put(
                    "304",
                    JsonObject.builder()
                            .put("description", "It is what If-None-Match says.")
                            .put("headers", headers())
                            .build());
        }
        Problems.of(route).forEach((status, codes) -> responses.put(Integer.toString(status), refusal(status, codes)));
        return JsonObject.of(responses);
    }

    /** Answers of one status: in several forms, if there are several. */
    private JsonObject response(List<Doc.Answer> alike) {
        Map<String, JsonValue> content = new LinkedHashMap<>();
        for (Doc.Answer answer : alike) {
            if (!answer.mediaType().isEmpty()) {
                content.putAll(content(answer.mediaType(), answer.schema()).members());
            }
        }
        JsonObject.Builder json = JsonObject.builder()
                .put("description", alike.stream().map(Doc.Answer::says).collect(Collectors.joining(" Or: ")))
                .put("headers", headers());
        if (!content.isEmpty()) {
            json.put("content", JsonObject.of(content));
        }
        return json.build();
    }

    private JsonObject headers() {
        JsonObject.Builder headers = JsonObject.builder().put("Correlation-Id", header("Correlation-Id"));
        if (hasTag()) {
            headers.put("ETag", header("ETag"));
        }
        if (doc.version() == Doc.Version.SEQUENCE || doc.version() == Doc.Version.LAST_EVENT) {
            headers.put("Flowstone-Last-Seq", header("Flowstone-Last-Seq"));
        }
        if (doc.headers().contains(Doc.Header.LOCATION)) {
            headers.put("Location", header("Location"));
        }
        if (route.budget() != Budget.NONE) {
            headers.put("X-RateLimit-Limit", header("X-RateLimit-Limit"))
                    .put("X-RateLimit-Remaining", header("X-RateLimit-Remaining"));
        }
        return headers.build();
    }

    private static JsonObject header(String name) {
        return JsonObject.builder().put("$ref", "#/components/headers/" + name).build();
    }

    private JsonObject refusal(int status, Set<ProblemCode> codes) {
        Optional<String> own = doc.answers().stream()
                .filter(answer -> answer.status() == status)
                .flatMap(answer -> answer.schema().stream())
                .findFirst();
        return own.isEmpty() && codes.equals(Problems.SHARED.get(status))
                ? JsonObject.builder()
                        .put("$ref", "#/components/responses/" + shared(status))
                        .build()
                : problem(status, codes, own.orElse(PROBLEM));
    }

    /** What the refusals of a status that most operations have are called. */
    static String shared(int status) {
        return "Refused" + status;
    }

    static JsonObject problem(int status, Set<ProblemCode> codes) {
        return problem(status, codes, PROBLEM);
    }

    private static JsonObject problem(int status, Set<ProblemCode> codes, String shape) {
        String says = codes.stream()
                .map(code -> "`" + code + "`: " + code.title() + ".")
                .collect(Collectors.joining(" "));
        JsonObject code = JsonObject.builder()
                .put("enum", texts(codes.stream().map(ProblemCode::name).toList()))
                .build();
        JsonObject narrowed = JsonObject.builder()
                .put("properties", JsonObject.builder().put("code", code).build())
                .build();
        JsonObject problem = JsonObject.builder()
                .put("$ref", "#/components/schemas/" + shape)
                .build();
        JsonObject schema = JsonObject.builder()
                .put("allOf", new JsonArray(List.of(problem, narrowed)))
                .build();
        return JsonObject.builder()
                .put("description", says)
                .put("headers", headersOfRefusal(status))
                .put(
                        "content",
                        JsonObject.builder()
                                .put(
                                        "application/problem+json",
                                        JsonObject.builder()
                                                .put("schema", schema)
                                                .build())
                                .build())
                .build();
    }

    private static JsonObject headersOfRefusal(int status) {
        JsonObject.Builder headers = JsonObject.builder()
                .put("Correlation-Id", header("Correlation-Id"))
                .put("Link", header("Link"));
        switch (status) {
            case 415 -> headers.put("Accept", header("Accept"));
            case 429, 503 -> headers.put("Retry-After", header("Retry-After"));
            default -> {
                // No others.
            }
        }
        return headers.build();
    }

    static JsonArray texts(List<String> texts) {
        return new JsonArray(texts.stream().<JsonValue>map(JsonString::new).toList());
    }
}
