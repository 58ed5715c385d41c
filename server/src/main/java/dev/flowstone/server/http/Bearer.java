package dev.flowstone.server.http;

import java.util.Optional;

/** Tokens in the header {@code Authorization} (RFC 6750). */
final class Bearer {
    static final String HEADER = "Authorization";

    private static final String CHALLENGE = "WWW-Authenticate";
    private static final String SCHEME = "Bearer ";
    private static final String REALM = "Bearer realm=\"flowstone\"";

    private Bearer() {}

    /** The token; empty if another scheme was sent. */
    static String token(Optional<String> sent) throws ProblemException {
        if (sent.isEmpty()) {
            throw refused("this server asks for a token: send it as Authorization: Bearer TOKEN");
        }
        boolean scheme = sent.get().regionMatches(true, 0, SCHEME, 0, SCHEME.length());
        return scheme ? sent.get().substring(SCHEME.length()).strip() : "";
    }

    static ProblemException refused(String detail) {
        return Problem.of(ProblemCode.UNAUTHENTICATED, detail)
                .header(CHALLENGE, REALM)
                .exception();
    }

    /** @param code why, a word */
    static ProblemException invalid(String code, String detail) {
        return Problem.of(ProblemCode.UNAUTHENTICATED, code + ": " + detail)
                .header(CHALLENGE, REALM + ", error=\"invalid_token\", error_description=\"" + code + "\"")
                .exception();
    }
}
