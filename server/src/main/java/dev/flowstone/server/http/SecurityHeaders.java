package dev.flowstone.server.http;

/** What a browser that shows an answer may do with it: nothing. */
final class SecurityHeaders {
    private SecurityHeaders() {}

    static Reply on(Reply reply) {
        return reply.header("X-Content-Type-Options", "nosniff")
                .header(
                        "Content-Security-Policy",
                        "default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'none'; sandbox")
                .header("Referrer-Policy", "no-referrer")
                .header("Cross-Origin-Resource-Policy", "same-origin")
                .header("Vary", LoopbackCallers.TENANT)
                .header("Cache-Control", reply.etag().isPresent() ? "private, no-cache" : "no-store");
    }
}
