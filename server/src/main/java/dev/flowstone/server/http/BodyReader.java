package dev.flowstone.server.http;

import java.io.IOException;
import java.util.Locale;
import java.util.Optional;

/** Takes a request's body in, within its declared limit. */
final class BodyReader {
    /** What is read of a body that is too large anyway. */
    private static final int POLITE_BYTES = 16 << 20;

    private final int maxBytes;

    BodyReader(int maxBytes) {
        this.maxBytes = maxBytes;
    }

    Optional<Body> read(Request request, BodyRule rule) throws ProblemException, IOException {
        if (request.contentLength().orElse(0) > maxBytes) {
            throw tooLarge(request);
        }
        byte[] bytes = request.body().readNBytes(maxBytes + 1);
        if (bytes.length > maxBytes) {
            throw tooLarge(request);
        }
        if (bytes.length == 0) {
            if (rule == BodyRule.REQUIRED) {
                throw Query.refused("this takes a JSON body, and none was sent");
            }
            return Optional.empty();
        }
        if (rule == BodyRule.NONE) {
            throw Query.refused("this takes no body");
        }
        if (!json(request.headers().single("Content-Type"))) {
            throw Problem.of(ProblemCode.UNSUPPORTED_MEDIA_TYPE, "send the body as Content-Type: application/json")
                    .header("Accept", "application/json")
                    .exception();
        }
        return Optional.of(new Body(bytes));
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

    /**
     * Reads on for a while, since a client that is still sending when the connection closes loses the answer with what it
     * sent.
     */
    private ProblemException tooLarge(Request request) throws IOException {
        byte[] dropped = new byte[8 << 10];
        int count = 0;
        for (int read = 0; read >= 0 && count < POLITE_BYTES; count += read) {
            read = request.body().read(dropped);
        }
        return Problem.of(ProblemCode.BODY_TOO_LARGE, "a body has at most " + maxBytes + " bytes")
                .exception();
    }
}
