package dev.flowstone.server.http;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonLimits;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.json.JsonValue;
import java.io.IOException;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What goes back.
 *
 * @param body never change it
 * @param etag of the representation, unquoted; the border answers {@code If-None-Match} by it
 * @param closes whether nothing can follow on this connection, because the request was not read to its end
 * @param outpour writes the body instead, if there is one
 */
@SuppressWarnings("ArrayRecordComponent")
public record Reply(
        int status,
        String mediaType,
        byte[] body,
        Optional<String> etag,
        Map<String, String> headers,
        boolean closes,
        Optional<Outpour> outpour) {
    /** Names the run's last event, whose number is the state's. */
    public static final String LAST_SEQ = "Flowstone-Last-Seq";

    /** Headers that a route or a problem gives its answer, beside the entity tag. */
    public static final List<String> OWN_HEADERS =
            List.of(LAST_SEQ, "Location", "Retry-After", "Allow", "Accept", "Link");

    public Reply {
        requireNonNull(mediaType);
        requireNonNull(body);
        requireNonNull(etag);
        headers = Map.copyOf(headers);
        requireNonNull(outpour);
    }

    private Reply(
            int status,
            String mediaType,
            byte[] body,
            Optional<String> etag,
            Map<String, String> headers,
            boolean closes) {
        this(status, mediaType, body, etag, headers, closes, Optional.empty());
    }

    /** What another node says in it; empty if that is no JSON object. */
    public Optional<JsonObject> object() {
        try {
            return JsonParser.parse(body, JsonLimits.STORED) instanceof JsonObject object
                    ? Optional.of(object)
                    : Optional.empty();
        } catch (JsonSyntaxException e) {
            return Optional.empty();
        }
    }

    /** A body that is written as it comes about. */
    @FunctionalInterface
    public interface Outpour {
        /** Writes until there is no more; an exception tells that the client has gone. */
        void writeTo(OutputStream out) throws IOException;
    }

    /** An answer without an end in sight. */
    public static Reply outpour(String mediaType, Outpour outpour) {
        return new Reply(200, mediaType, new byte[0], Optional.empty(), Map.of(), false, Optional.of(outpour));
    }

    /** Canonical, hence members in one order and numbers exact. */
    public static Reply json(int status, JsonValue value) {
        return new Reply(status, "application/json", CanonicalJson.exact(value), Optional.empty(), Map.of(), false);
    }

    public static Reply text(String mediaType, String text) {
        return new Reply(200, mediaType, text.getBytes(StandardCharsets.UTF_8), Optional.empty(), Map.of(), false);
    }

    /** What is known beforehand. */
    public static Reply bytes(String mediaType, byte[] body) {
        return new Reply(200, mediaType, body, Optional.empty(), Map.of(), false);
    }

    /** Done, nothing to say. */
    public static Reply nothing() {
        return new Reply(204, "", new byte[0], Optional.empty(), Map.of(), false);
    }

    /** Another status instead of a reply, under the same headers. */
    static Reply nothing(int status, Reply instead) {
        return new Reply(status, "", new byte[0], instead.etag(), instead.headers(), false);
    }

    public Reply header(String name, String value) {
        return headers(Map.of(name, value));
    }

    Reply headers(Map<String, String> others) {
        Map<String, String> more = new LinkedHashMap<>(headers);
        more.putAll(others);
        return new Reply(status, mediaType, body, etag, more, closes, outpour);
    }

    public Reply etag(String tag) {
        return new Reply(status, mediaType, body, Optional.of(tag), headers, closes, outpour);
    }

    /** Of a page that does more than to be shown: what it may do, in place of nothing. */
    public Reply underPolicy(String policy) {
        return header(SecurityHeaders.POLICY, policy);
    }

    Reply mediaType(String other) {
        return new Reply(status, other, body, etag, headers, closes, outpour);
    }

    Reply closing() {
        return new Reply(status, mediaType, body, etag, headers, true, outpour);
    }
}
