package dev.flowstone.server.http;

import java.util.Map;

/** What a browser that shows an answer may do with it: nothing; and who keeps it, for whom: the one caller that it was for. */
final class SecurityHeaders {
    private static final Map<String, String> NEVER_KEPT = with("no-store");
    private static final Map<String, String> ASKED_AGAIN = with("private, no-cache");

    private SecurityHeaders() {}

    static Reply on(Reply reply) {
        return reply.headers(reply.etag().isPresent() ? ASKED_AGAIN : NEVER_KEPT);
    }

    private static Map<String, String> with(String cacheControl) {
        return Map.of(
                "X-Content-Type-Options",
                "nosniff",
                "Content-Security-Policy",
                "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox",
                "Referrer-Policy",
                "no-referrer",
                "Cross-Origin-Resource-Policy",
                "same-origin",
                "Vary",
                Bearer.HEADER + ", " + LoopbackCallers.TENANT,
                "Cache-Control",
                cacheControl);
    }
}
