package dev.flowstone.server.effect;

import dev.flowstone.connectors.secret.Hidden;
import dev.flowstone.engine.task.TaskCall;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonPointer;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.outbound.HttpHeader;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** Headers of a {@code core.http} whose values are named and not written. */
final class NamedHeaders {
    private static final String HEADERS = "headers";
    private static final String ACCEPT_ENCODING = "Accept-Encoding";
    private static final String IDENTITY = "identity";

    private final List<HttpHeader> headers = new ArrayList<>();
    private final List<String> revealed = new ArrayList<>();

    private NamedHeaders() {}

    /** Those of a call to that URL; none if its headers are no object. */
    static NamedHeaders read(TaskCall call, Secrets secrets, String url) throws InvalidParameterException {
        NamedHeaders named = new NamedHeaders();
        JsonPointer at = JsonPointer.ROOT.child(HEADERS);
        for (Map.Entry<String, JsonValue> member :
                object(call.input()).members().entrySet()) {
            if (member.getValue() instanceof JsonObject reference) {
                Optional<JsonValue> written = object(call.template()).find(member.getKey());
                Secrets.Revealed value = secrets.reveal(reference, written, call, url, at.child(member.getKey()));
                named.headers.add(HttpHeader.secret(member.getKey(), value.text()));
                SentSecrets.ofNamed(value.prefix(), value.secret()).forEach(named.revealed::add);
            }
        }
        return named;
    }

    private static JsonObject object(JsonValue parameters) {
        return parameters instanceof JsonObject given
                        && given.find(HEADERS).orElse(JsonNull.NULL) instanceof JsonObject headers
                ? headers
                : JsonObject.EMPTY;
    }

    /** As they are sent. */
    List<HttpHeader> sent() {
        return List.copyOf(headers);
    }

    Set<String> names() {
        return headers.stream().map(HttpHeader::name).collect(Collectors.toUnmodifiableSet());
    }

    /** What is taken out of what comes back. */
    Hidden hidden() {
        return Hidden.of(revealed.stream());
    }

    /**
     * What goes with them among all headers of the request, so that what comes back can be looked through: in no encoding, and whole.
     *
     * @throws InvalidParameterException if one asks for the contrary
     */
    Optional<HttpHeader> plain(List<HttpHeader> all) throws InvalidParameterException {
        if (headers.isEmpty()) {
            return Optional.empty();
        }
        boolean given = false;
        for (HttpHeader header : all) {
            boolean encoding = header.name().equalsIgnoreCase(ACCEPT_ENCODING);
            if (header.name().equalsIgnoreCase("Range")
                    || (encoding && !header.value().strip().equalsIgnoreCase(IDENTITY))) {
                throw new InvalidParameterException(
                        JsonPointer.ROOT.child(HEADERS).child(header.name()),
                        "it goes with no secret: the answer is asked for whole and not encoded, so that the secret can be"
                                + " taken out of it; leave this header out");
            }
            given |= encoding;
        }
        return given ? Optional.empty() : Optional.of(HttpHeader.of(ACCEPT_ENCODING, IDENTITY));
    }
}
