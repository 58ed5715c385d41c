package dev.flowstone.server.api;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.server.http.Body;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.Fault;
import dev.flowstone.server.http.Headers;
import dev.flowstone.server.http.Problem;
import dev.flowstone.server.http.ProblemCode;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.server.http.Query;
import dev.flowstone.triggers.event.BinaryMode;
import dev.flowstone.triggers.event.CloudEvent;
import dev.flowstone.triggers.event.CloudEventException;
import dev.flowstone.triggers.event.CloudEventReader;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * The CloudEvents of a call, by the modes of the HTTP binding 1.0: structured, batched, binary. JSON without any {@code ce-} header is
 * structured, or a batch if it is a list.
 */
final class SentEvents {
    private static final String STRUCTURED = "application/cloudevents+json";
    private static final String BATCHED = "application/cloudevents-batch+json";
    private static final String ANY_STRUCTURED = "application/cloudevents";
    private static final String JSON = "application/json";

    private SentEvents() {}

    static List<CloudEvent> of(Call call) throws ProblemException {
        Optional<String> contentType = call.headers().single("Content-Type").filter(it -> !it.isEmpty());
        String media =
                contentType.orElse("").toLowerCase(Locale.ROOT).split(";", 2)[0].strip();
        if (media.equals(STRUCTURED) || media.equals(BATCHED)) {
            return structured(call, media.equals(BATCHED));
        }
        if (media.startsWith(ANY_STRUCTURED)) {
            throw unsupported();
        }
        Map<String, String> attributes = attributes(call.headers());
        if (!attributes.isEmpty()) {
            byte[] body = call.body().map(Body::bytes).orElseGet(() -> new byte[0]);
            return List.of(binary(attributes, contentType, body));
        }
        if (!media.equals(JSON)) {
            throw unsupported();
        }
        return structured(call, false);
    }

    private static Map<String, String> attributes(Headers headers) throws ProblemException {
        Map<String, String> attributes = new TreeMap<>();
        for (String header : headers.names()) {
            String name = header.toLowerCase(Locale.ROOT);
            if (name.startsWith(BinaryMode.PREFIX)) {
                Optional<String> value = headers.single(header);
                value.ifPresent(it -> attributes.put(name.substring(BinaryMode.PREFIX.length()), it));
            }
        }
        return attributes;
    }

    private static List<CloudEvent> structured(Call call, boolean batched) throws ProblemException {
        if (call.body().isEmpty()) {
            throw Query.refused("this takes CloudEvents, and no body was sent");
        }
        JsonParser.Located document = call.body().get().value();
        if (!batched
                && document.value() instanceof JsonArray array
                && array.items().isEmpty()) {
            throw Query.refused("this takes CloudEvents, and the list has none");
        }
        try {
            return batched || document.value() instanceof JsonArray
                    ? CloudEventReader.batch(document.value())
                    : List.of(CloudEventReader.structured(document.value()));
        } catch (CloudEventException e) {
            JsonParser.Place place = document.place(e.pointer());
            throw refused(e, place.line(), place.column());
        }
    }

    private static CloudEvent binary(Map<String, String> attributes, Optional<String> contentType, byte[] body)
            throws ProblemException {
        try {
            return BinaryMode.read(attributes, contentType, body);
        } catch (CloudEventException e) {
            throw refused(e, 1, 1);
        } catch (JsonSyntaxException e) {
            throw Problem.of(
                            ProblemCode.MALFORMED_JSON,
                            "Content-Type says JSON: " + e.getMessage() + " (line " + e.line() + ", column "
                                    + e.column() + ")")
                    .exception();
        }
    }

    private static ProblemException refused(CloudEventException e, int line, int column) {
        Fault fault = new Fault(e.code(), e.pointer(), line, column, String.valueOf(e.getMessage()), e.remedy());
        String where = e.pointer().isEmpty() ? "" : " (" + e.pointer() + ")";
        boolean limit = e.code().equals("LIMIT");
        return Problem.of(
                        limit ? ProblemCode.LIMIT_EXCEEDED : ProblemCode.INVALID_REQUEST,
                        "no CloudEvent 1.0: " + e.getMessage() + where,
                        List.of(fault))
                .exception();
    }

    private static ProblemException unsupported() {
        return Problem.of(
                        ProblemCode.UNSUPPORTED_MEDIA_TYPE,
                        "send CloudEvents as " + STRUCTURED + ", as " + BATCHED
                                + ", or in binary mode with ce- headers")
                .header("Accept", STRUCTURED + ", " + BATCHED + ", " + JSON)
                .exception();
    }
}
