package dev.flowstone.server.api;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonPointer;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** An operation of the API's document, with what tests ask of it. */
record Operation(JsonObject document, String method, String path, JsonObject json) {
    /** All of a document, in its order. */
    static List<Operation> of(JsonObject document) {
        List<Operation> all = new ArrayList<>();
        ((JsonObject) document.find("paths").orElseThrow())
                .members()
                .forEach((path, item) -> ((JsonObject) item)
                        .members()
                        .forEach((method, json) -> all.add(
                                new Operation(document, method.toUpperCase(Locale.ROOT), path, (JsonObject) json))));
        return all;
    }

    /** A shape of the document, or what it refers to. */
    static JsonObject resolved(JsonObject document, JsonObject shape) {
        return shape.get("$ref") instanceof JsonString(String reference)
                ? (JsonObject) JsonPointer.parse(reference.substring(1))
                        .find(document)
                        .orElseThrow(() -> new AssertionError("nothing is at " + reference))
                : shape;
    }

    static String text(JsonObject object, String member) {
        return object.get(member) instanceof JsonString(String text) ? text : "";
    }

    String id() {
        return text(json, "operationId");
    }

    /** The scope that it takes, or {@code public}. */
    String scope() {
        List<JsonValue> needed = ((JsonArray) json.find("security").orElseThrow()).items();
        if (needed.isEmpty()) {
            return "public";
        }
        JsonArray scopes =
                (JsonArray) ((JsonObject) needed.getFirst()).find("token").orElseThrow();
        return ((JsonString) scopes.items().getFirst()).value();
    }

    /** Whether what it is about is the deployment's: every tenant sees it, and nobody's is another's. */
    boolean isOfAllTenants() {
        return path.matches("/api/v1/(connectors|actions)\\b.*");
    }

    /** References resolved. */
    List<JsonObject> parameters() {
        return ((JsonArray) json.find("parameters").orElseThrow())
                .items().stream().map(it -> resolved(document, (JsonObject) it)).toList();
    }

    /** Names of its parameters in the path, the query or the headers. */
    List<String> parameters(String in) {
        return parameters().stream()
                .filter(it -> text(it, "in").equals(in))
                .map(it -> text(it, "name"))
                .toList();
    }

    /** Codes that it is documented to refuse with. */
    Set<String> refusals() {
        Set<String> codes = new TreeSet<>();
        refusalsByStatus().values().forEach(codes::addAll);
        return codes;
    }

    /** The same by the status that they are told with. */
    Map<String, Set<String>> refusalsByStatus() {
        Map<String, Set<String>> all = new TreeMap<>();
        ((JsonObject) json.find("responses").orElseThrow()).members().forEach((status, response) -> {
            for (JsonValue code : codes(resolved(document, (JsonObject) response))) {
                all.computeIfAbsent(status, _ -> new TreeSet<>()).add(((JsonString) code).value());
            }
        });
        return all;
    }

    private static List<JsonValue> codes(JsonObject response) {
        return JsonPointer.parse("/content/application~1problem+json/schema/allOf/1/properties/code/enum")
                .find(response)
                .map(codes -> ((JsonArray) codes).items())
                .orElse(List.of());
    }

    /** Whether it answers as things happen. */
    boolean streams() {
        return JsonPointer.parse("/responses/200/content/text~1event-stream")
                .find(json)
                .isPresent();
    }

    /** The shape of its body, if it takes one. */
    Optional<JsonObject> body() {
        return JsonPointer.parse("/requestBody/content/application~1json/schema")
                .find(json)
                .map(it -> resolved(document, (JsonObject) it));
    }

    /** Its path with these values in the place of variables, and {@code none} for others. */
    String at(Map<String, String> values) {
        String at = path;
        for (Map.Entry<String, String> value : values.entrySet()) {
            at = at.replace("{" + value.getKey() + "}", encoded(value.getValue()));
        }
        return at.replaceAll("\\{[^}]+}", "none");
    }

    /** The same for things that aren't there, with what its query needs, and this besides. */
    String sound(String query) {
        Stream<String> needed = parameters().stream()
                .filter(it -> text(it, "in").equals("query") && it.get("required") == JsonBoolean.TRUE)
                .map(it -> text(it, "name") + "=x");
        String all = Stream.concat(needed, Stream.of(query))
                .filter(it -> !it.isEmpty())
                .collect(Collectors.joining("&"));
        return at(Map.of()) + (all.isEmpty() ? "" : "?" + all);
    }

    static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    @Override
    public String toString() {
        return method + " " + path;
    }
}
