package dev.flowstone.server.effect;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.flowstone.engine.task.TaskCall;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonPointer;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.outbound.HttpHeader;
import dev.flowstone.outbound.OutboundRequest;
import dev.flowstone.outbound.RequestBody;
import java.net.URLEncoder;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.regex.Pattern;

/** Reads the rendered parameters of {@code core.http}. One that is null counts as left out; a number may stand for text. */
final class HttpParameters {
    static final String IDEMPOTENCY_KEY = "Idempotency-Key";

    private static final List<String> BODIES = List.of("json", "form", "text", "base64");
    private static final Pattern CONTENT_TYPE = Pattern.compile("[\\x21-\\x7e][\\x20-\\x7e]{0,199}");

    /** Activations that are sent as they are; others by their digest. */
    private static final Pattern PLAIN = Pattern.compile("[A-Za-z0-9._~:#-]{1,150}");

    private final TaskCall call;
    private final Secrets secrets;
    private final JsonObject given;

    private HttpParameters(TaskCall call, Secrets secrets) {
        this.call = call;
        this.secrets = secrets;
        this.given = call.input() instanceof JsonObject object ? object : JsonObject.EMPTY;
    }

    static HttpCall read(TaskCall call) throws InvalidParameterException {
        return read(call, Secrets.NONE);
    }

    static HttpCall read(TaskCall call, Secrets secrets) throws InvalidParameterException {
        return new HttpParameters(call, secrets).read();
    }

    private HttpCall read() throws InvalidParameterException {
        for (String name : given.members().keySet()) {
            if (!names().contains(name)) {
                throw invalid(name, "there is no such parameter; there are " + String.join(", ", names()));
            }
        }
        Optional<String> url = text("url");
        if (url.isEmpty()) {
            throw invalid("url", "it is missing: write the whole of it, with https://");
        }
        String target = withQuery(url.get());
        NamedHeaders named = NamedHeaders.read(call, secrets, target);
        OutboundRequest request = new OutboundRequest(
                text("method").orElse("GET").toUpperCase(Locale.ROOT),
                target,
                headers(named),
                body().orElse(null),
                deadline());
        return new HttpCall(request, expected(), form(), named.hidden());
    }

    /** All that there are. */
    static List<String> names() {
        return HttpAction.DESCRIPTION.parameters().stream().map(it -> it.name()).toList();
    }

    private String withQuery(String url) throws InvalidParameterException {
        int hash = url.indexOf('#');
        String target = hash < 0 ? url : url.substring(0, hash);
        String query = encoded("query").replace("+", "%20");
        if (query.isEmpty()) {
            return target;
        }
        if (!target.contains("?")) {
            return target + "?" + query;
        }
        return target + (target.endsWith("?") || target.endsWith("&") ? "" : "&") + query;
    }

    /** Pairs as forms have them: UTF-8, percent-encoded, a space as {@code +}. */
    private String encoded(String name) throws InvalidParameterException {
        List<String> pairs = new ArrayList<>();
        texts(name)
                .forEach((key, values) -> values.forEach(
                        value -> pairs.add(URLEncoder.encode(key, UTF_8) + "=" + URLEncoder.encode(value, UTF_8))));
        return String.join("&", pairs);
    }

    private List<HttpHeader> headers(NamedHeaders named) throws InvalidParameterException {
        List<HttpHeader> headers = new ArrayList<>(named.sent());
        texts("headers", named.names())
                .forEach((name, values) -> values.forEach(value -> headers.add(SecretHeaders.header(name, value))));
        addUnlessGiven(headers, IDEMPOTENCY_KEY, key());
        named.plain(headers).ifPresent(headers::add);
        call.traceparent().ifPresent(parent -> addUnlessGiven(headers, "traceparent", parent));
        return headers;
    }

    private static void addUnlessGiven(List<HttpHeader> headers, String name, String value) {
        if (headers.stream().noneMatch(header -> header.name().equalsIgnoreCase(name))) {
            headers.add(HttpHeader.of(name, value));
        }
    }

    /** The same for every attempt. */
    private String key() {
        String activation = call.activation().toString();
        return call.run() + "/"
                + (PLAIN.matcher(activation).matches() ? activation : call.key().toString());
    }

    private Optional<RequestBody> body() throws InvalidParameterException {
        List<String> bodies =
                BODIES.stream().filter(name -> find(name).isPresent()).toList();
        if (bodies.size() > 1) {
            throw invalid(
                    bodies.get(1), "a request has one body: leave out all but one of " + String.join(", ", BODIES));
        }
        Optional<String> type = text("contentType");
        if (type.isPresent() && !CONTENT_TYPE.matcher(type.get()).matches()) {
            throw invalid("contentType", "it has up to 200 characters of ASCII, such as text/plain; charset=utf-8");
        }
        if (bodies.isEmpty()) {
            if (type.isPresent()) {
                throw invalid("contentType", "there is no body: give one of " + String.join(", ", BODIES));
            }
            return Optional.empty();
        }
        String name = bodies.getFirst();
        return Optional.of(
                switch (name) {
                    case "json" ->
                        RequestBody.of(CanonicalJson.exact(find(name).orElseThrow()), type.orElse("application/json"));
                    case "form" ->
                        RequestBody.of(encoded(name).getBytes(UTF_8), type.orElse("application/x-www-form-urlencoded"));
                    case "text" ->
                        RequestBody.of(
                                text(name).orElseThrow().getBytes(UTF_8), type.orElse("text/plain; charset=utf-8"));
                    default -> RequestBody.of(base64(name), type.orElse("application/octet-stream"));
                });
    }

    private byte[] base64(String name) throws InvalidParameterException {
        try {
            return Base64.getDecoder().decode(text(name).orElse(""));
        } catch (IllegalArgumentException e) {
            throw invalid(name, "it is no Base64 (RFC 4648, section 4)");
        }
    }

    private Duration deadline() throws InvalidParameterException {
        Optional<String> text = text("timeout");
        if (text.isEmpty()) {
            return call.timeout();
        }
        try {
            Duration timeout = Duration.parse(text.get());
            if (timeout.isPositive()) {
                return timeout.compareTo(call.timeout()) < 0 ? timeout : call.timeout();
            }
        } catch (DateTimeParseException e) {
            // Said below, as of one that isn't positive.
        }
        throw invalid("timeout", "it is an ISO 8601 duration that is longer than nothing, such as PT10S");
    }

    private Expected expected() throws InvalidParameterException {
        Optional<JsonValue> value = find("expect");
        if (value.isEmpty()) {
            return Expected.ANY_2XX;
        }
        JsonPointer at = JsonPointer.ROOT.child("expect");
        List<String> texts = texts(value.get(), at);
        List<Expected.Range> ranges = new ArrayList<>();
        for (int i = 0; i < texts.size(); i++) {
            Optional<Expected.Range> range = Expected.Range.parse(texts.get(i));
            if (range.isEmpty()) {
                throw new InvalidParameterException(
                        value.get() instanceof JsonArray ? at.child(i) : at,
                        "it is a status such as 404, a range such as 200-204, or a class such as 2xx");
            }
            ranges.add(range.get());
        }
        if (ranges.isEmpty()) {
            throw new InvalidParameterException(at, "it names one status at least");
        }
        return new Expected(ranges);
    }

    private ResponseForm form() throws InvalidParameterException {
        Optional<ResponseForm> form = ResponseForm.named(text("response").orElse("auto"));
        if (form.isEmpty()) {
            throw invalid("response", "it is auto, json, text, base64 or none");
        }
        return form.get();
    }

    private Optional<JsonValue> find(String name) {
        return given.find(name).filter(value -> value != JsonNull.NULL);
    }

    private Optional<String> text(String name) throws InvalidParameterException {
        Optional<JsonValue> value = find(name);
        return value.isEmpty() ? Optional.empty() : Optional.of(text(value.get(), JsonPointer.ROOT.child(name)));
    }

    /** An object's members by name, each with one value or several, so that every attempt sends the same; nothing if there is no such object. */
    private Map<String, List<String>> texts(String name) throws InvalidParameterException {
        return texts(name, Set.of());
    }

    /** Without some of its members. */
    private Map<String, List<String>> texts(String name, Set<String> without) throws InvalidParameterException {
        Map<String, List<String>> texts = new TreeMap<>();
        Optional<JsonValue> value = find(name);
        if (value.isPresent()) {
            if (!(value.get() instanceof JsonObject object)) {
                throw invalid(name, "it is an object, whose members are texts, numbers, or lists of them");
            }
            JsonPointer at = JsonPointer.ROOT.child(name);
            for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
                if (!without.contains(member.getKey())) {
                    texts.put(member.getKey(), texts(member.getValue(), at.child(member.getKey())));
                }
            }
        }
        return texts;
    }

    private static List<String> texts(JsonValue value, JsonPointer at) throws InvalidParameterException {
        if (value == JsonNull.NULL) {
            return List.of();
        }
        if (!(value instanceof JsonArray(List<JsonValue> items))) {
            return List.of(text(value, at));
        }
        List<String> texts = new ArrayList<>();
        for (int i = 0; i < items.size(); i++) {
            texts.add(text(items.get(i), at.child(i)));
        }
        return texts;
    }

    private static String text(JsonValue value, JsonPointer at) throws InvalidParameterException {
        return switch (value) {
            case JsonString(String text) -> text;
            case JsonNumber number -> CanonicalJson.exactText(number);
            case JsonBoolean flag -> Boolean.toString(flag.value());
            case JsonNull _, JsonArray _, JsonObject _ ->
                throw new InvalidParameterException(at, "it is text, a number, true or false");
        };
    }

    private static InvalidParameterException invalid(String name, String message) {
        return new InvalidParameterException(JsonPointer.ROOT.child(name), message);
    }
}
