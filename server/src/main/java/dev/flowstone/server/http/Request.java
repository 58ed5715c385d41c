package dev.flowstone.server.http;

import java.util.OptionalLong;

/**
 * A request as it came in, before anybody believed it.
 *
 * @param rawPath still percent-encoded
 * @param rawQuery still percent-encoded; empty if there is none
 * @param contentLength as declared
 */
record Request(
        String method, String rawPath, String rawQuery, Headers headers, OptionalLong contentLength, BodyStream body) {
    /** Whether its body is longer than so much, or might be. */
    boolean isLong(int bytes) {
        return contentLength.orElseGet(() -> headers.first("Transfer-Encoding").isPresent() ? Long.MAX_VALUE : 0)
                > bytes;
    }
}
