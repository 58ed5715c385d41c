package dev.flowstone.server.http;

import dev.flowstone.kernel.json.JsonLimits;
import java.io.IOException;
import java.time.Duration;
import java.util.Arrays;
import java.util.Locale;
import java.util.Optional;

/** Takes a request's body in, within its declared limit and the room that there is for all of them. */
final class BodyReader {
    private final int maxBytes;
    private final Duration longest;
    private final JsonLimits json;
    private final BodyLease lease;

    BodyReader(Bounds bounds, BodyLease lease) {
        this.maxBytes = bounds.bodyBytes();
        this.longest = bounds.sending();
        this.json = bounds.json();
        this.lease = lease;
    }

    Optional<Body> read(Request request, BodyRule rule) throws ProblemException, IOException {
        if (request.contentLength().orElse(0) > maxBytes) {
            throw tooLarge();
        }
        if (rule == BodyRule.NONE) {
            refuseAny(request);
            return Optional.empty();
        }
        byte[] bytes = bytes(request.body());
        if (bytes.length > maxBytes) {
            throw tooLarge();
        }
        if (bytes.length == 0) {
            if (rule == BodyRule.REQUIRED) {
                throw Query.refused("this takes a JSON body, and none was sent");
            }
            return Optional.empty();
        }
        if (rule != BodyRule.ANY && !json(request.headers().single("Content-Type"))) {
            throw Problem.of(ProblemCode.UNSUPPORTED_MEDIA_TYPE, "send the body as Content-Type: application/json")
                    .header("Accept", "application/json")
                    .exception();
        }
        return Optional.of(new Body(bytes, json));
    }

    /** At its first byte, or at what was announced: nobody waits for the rest of what nobody wants. */
    private void refuseAny(Request request) throws ProblemException, IOException {
        try (Deadline _ = new Deadline(longest)) {
            if (request.contentLength().orElse(0) > 0
                    || (!request.body().isEnded() && request.body().read() >= 0)) {
                throw Query.refused("this takes no body");
            }
        }
    }

    /** As many as came, or one more than may come. Who sends too slowly, or nothing at all, loses the connection. */
    private byte[] bytes(BodyStream body) throws ProblemException, IOException {
        if (body.isEnded()) {
            return new byte[0];
        }
        try (Deadline _ = new Deadline(longest)) {
            byte[] bytes = body.readNBytes(Math.min(BodyLease.FREE, maxBytes + 1));
            int count = bytes.length;
            while (count == bytes.length && count > 0 && count <= maxBytes) {
                int next = body.read();
                if (next < 0) {
                    return bytes;
                }
                int room = Math.min(2 * bytes.length, maxBytes + 1);
                lease.grow(room - bytes.length);
                bytes = Arrays.copyOf(bytes, room);
                bytes[count++] = (byte) next;
                count += body.readNBytes(bytes, count, room - count);
            }
            return count == bytes.length ? bytes : Arrays.copyOf(bytes, count);
        }
    }

    /** Whether a media type is JSON, in UTF-8, the only encoding it has. */
    private static boolean json(Optional<String> contentType) {
        if (contentType.isEmpty()) {
            return false;
        }
        String[] parts = contentType.get().toLowerCase(Locale.ROOT).split(";", -1);
        String type = parts[0].strip();
        for (int i = 1; i < parts.length; i++) {
            String parameter = parts[i].strip().replace("\"", "");
            if (parameter.startsWith("charset=") && !parameter.equals("charset=utf-8")) {
                return false;
            }
        }
        return type.equals("application/json") || (type.startsWith("application/") && type.endsWith("+json"));
    }

    private ProblemException tooLarge() {
        return Problem.of(ProblemCode.BODY_TOO_LARGE, "a body has at most " + maxBytes + " bytes")
                .exception();
    }
}
