package dev.flowstone.server.api;

import com.networknt.schema.InputFormat;
import com.networknt.schema.Schema;
import com.networknt.schema.SchemaRegistry;
import com.networknt.schema.SpecificationVersion;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.api.RestFixture.Answer;
import dev.flowstone.server.http.Reply;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;

/**
 * What the served document promises, held against what the server does: each answer's status, content type, headers, code and
 * body, and the body of each request that is accepted. Shapes are closed, so that a member that the document doesn't know is a
 * difference, too.
 */
final class ApiContract {
    private static final String SCHEMAS = "#/components/schemas/";
    private static final SchemaRegistry REGISTRY =
            SchemaRegistry.withDefaultDialect(SpecificationVersion.DRAFT_2020_12);

    private final JsonObject document;
    private final JsonObject paths;
    private final JsonObject shapes;
    private final Map<String, Schema> compiled = new ConcurrentHashMap<>();

    ApiContract(JsonObject document) {
        this.document = document;
        this.paths = (JsonObject) document.find("paths").orElseThrow();
        this.shapes = (JsonObject) ((JsonObject) document.find("components").orElseThrow())
                .find("schemas")
                .orElseThrow();
        RefusalLedger.named(document);
    }

    /**
     * One call.
     *
     * @param target path and query
     * @throws AssertionError that says where the document and the answer differ
     */
    void check(String method, String target, Optional<String> body, Answer answer) {
        String verb = method.equals("HEAD") ? "get" : method.toLowerCase(Locale.ROOT);
        Optional<JsonObject> operation = operation(verb, URI.create(target).getRawPath());
        if (operation.isEmpty()) {
            if (answer.status() < 400 && !method.equals("OPTIONS")) {
                throw new AssertionError(method + " " + target + " is served, and not in the document");
            }
            return;
        }
        List<String> differences = new ArrayList<>();
        if (answer.status() < 300) {
            request(operation.get(), body).ifPresent(differences::add);
        }
        response(operation.get(), answer, differences);
        if (!differences.isEmpty()) {
            throw new AssertionError(method + " " + target + " (" + Operation.text(operation.get(), "operationId")
                    + ") differs from the document:\n  " + String.join("\n  ", differences) + "\n  asked: "
                    + body.orElse("") + "\n  answered: " + answer);
        }
        RefusalLedger.given(Operation.text(operation.get(), "operationId"), answer);
    }

    private Optional<JsonObject> operation(String verb, String rawPath) {
        String[] segments = rawPath.split("/", -1);
        return paths.members().keySet().stream()
                .filter(template -> matches(template.split("/", -1), segments))
                .min(Comparator.comparingLong(
                        template -> template.chars().filter(c -> c == '{').count()))
                .map(template -> (JsonObject) paths.find(template).orElseThrow())
                .flatMap(item -> item.find(verb).map(JsonObject.class::cast));
    }

    private static boolean matches(String[] template, String[] segments) {
        if (template.length != segments.length) {
            return false;
        }
        for (int i = 0; i < template.length; i++) {
            if (template[i].startsWith("{")) {
                if (segments[i].isEmpty()) {
                    return false;
                }
            } else if (!template[i].equals(
                    URLDecoder.decode(segments[i].replace("+", "%2B"), StandardCharsets.UTF_8))) {
                return false;
            }
        }
        return true;
    }

    private Optional<String> request(JsonObject operation, Optional<String> body) {
        if (body.isEmpty() || body.get().isEmpty()) {
            return Optional.empty();
        }
        if (!(operation.get("requestBody") instanceof JsonObject declared)) {
            return Optional.of("a body is accepted, and the document knows none");
        }
        return wrong(schema(declared, "application/json"), body.get()).map(it -> "the body that is accepted: " + it);
    }

    private void response(JsonObject operation, Answer answer, List<String> differences) {
        JsonObject responses = (JsonObject) operation.find("responses").orElseThrow();
        if (!(responses.get(Integer.toString(answer.status())) instanceof JsonObject declared)) {
            differences.add("status " + answer.status() + " is not in the document");
            return;
        }
        JsonObject response = Operation.resolved(document, declared);
        String type = answer.header("Content-Type").orElse("").replaceAll(";.*", "");
        JsonObject content = response.get("content") instanceof JsonObject some ? some : JsonObject.EMPTY;
        boolean known =
                type.isEmpty() ? content.members().isEmpty() : content.members().containsKey(type);
        if (!known) {
            differences.add("content type '" + type + "', not one of "
                    + content.members().keySet());
        } else if (type.endsWith("json") && !answer.response().body().isEmpty()) {
            wrong(schema(response, type), answer.response().body()).ifPresent(differences::add);
        }
        JsonObject headers = response.get("headers") instanceof JsonObject some ? some : JsonObject.EMPTY;
        List<String> own = new ArrayList<>(Reply.OWN_HEADERS);
        own.add("ETag");
        for (String header : own) {
            if (answer.header(header).isPresent() && !headers.members().containsKey(header)) {
                differences.add("header " + header + " is not in the document");
            }
        }
    }

    private static JsonObject schema(JsonObject holder, String type) {
        JsonObject content = (JsonObject) holder.find("content").orElseThrow();
        return (JsonObject)
                ((JsonObject) content.find(type).orElseThrow()).find("schema").orElseThrow();
    }

    private Optional<String> wrong(JsonObject schema, String text) {
        String key = new String(CanonicalJson.exact(schema), StandardCharsets.UTF_8);
        List<String> errors =
                compiled.computeIfAbsent(key, _ -> compile(schema)).validate(text, InputFormat.JSON).stream()
                        .map(Object::toString)
                        .toList();
        return errors.isEmpty() ? Optional.empty() : Optional.of(String.join("; ", errors));
    }

    private Schema compile(JsonObject schema) {
        Map<String, JsonValue> whole = new LinkedHashMap<>(((JsonObject) local(schema)).members());
        Map<String, JsonValue> closed = new LinkedHashMap<>();
        shapes.members().forEach((name, shape) -> closed.put(name, closed(local(shape))));
        whole.put("$defs", JsonObject.of(closed));
        return REGISTRY.getSchema(
                new String(CanonicalJson.exact(JsonObject.of(whole)), StandardCharsets.UTF_8), InputFormat.JSON);
    }

    /** The same whose references lead to definitions of its own. */
    private static JsonValue local(JsonValue value) {
        return switch (value) {
            case JsonString(String text)
            when text.startsWith(SCHEMAS) -> new JsonString("#/$defs/" + text.substring(SCHEMAS.length()));
            case JsonArray(List<JsonValue> items) ->
                new JsonArray(items.stream().map(ApiContract::local).toList());
            case JsonObject object -> {
                Map<String, JsonValue> members = new LinkedHashMap<>();
                object.members().forEach((name, member) -> members.put(name, local(member)));
                yield JsonObject.of(members);
            }
            default -> value;
        };
    }

    /** The same without other members than those that are named. */
    private static JsonValue closed(JsonValue shape) {
        return switch (shape) {
            case JsonArray(List<JsonValue> items) ->
                new JsonArray(items.stream().map(ApiContract::closed).toList());
            case JsonObject object -> {
                Map<String, JsonValue> members = new LinkedHashMap<>();
                object.members().forEach((key, member) -> members.put(key, closed(member)));
                if (members.get("properties") instanceof JsonObject && members.containsKey("type")) {
                    members.putIfAbsent("additionalProperties", JsonBoolean.of(false));
                }
                yield JsonObject.of(members);
            }
            default -> shape;
        };
    }
}
