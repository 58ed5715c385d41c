package dev.flowstone.outbound;

import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * Whether a request's method and headers can be sent as they are. A line break in a header would begin another header, or
 * another request.
 */
final class RequestCheck {
    private static final Pattern METHOD = Pattern.compile("[A-Z][A-Z0-9-]{0,31}");

    /** They make a way through to others, or show the request to whoever reads the answer. */
    private static final Set<String> UNSENT = Set.of("CONNECT", "TRACE", "TRACK");

    /** They say how the message is framed and whom it is for, which the client alone decides. */
    private static final Set<String> OWN = Set.of(
            "host",
            "content-length",
            "transfer-encoding",
            "connection",
            "keep-alive",
            "proxy-connection",
            "te",
            "trailer",
            "upgrade",
            "expect");

    private static final int MOST_HEADERS = 100;
    private static final Pattern NAME = Pattern.compile("[!#$%&'*+.^_`|~0-9A-Za-z-]{1,100}");

    /** ASCII that can be seen, spaces and tabs: readers disagree on what is beyond. */
    private static final Pattern VALUE = Pattern.compile("[\\x20-\\x7e\\t]{0,8192}");

    private RequestCheck() {}

    static Optional<Outcome.Refused> refuses(OutboundRequest request) {
        if (!METHOD.matcher(request.method()).matches() || UNSENT.contains(request.method())) {
            return refused(
                    Refusal.METHOD,
                    "it is a word in upper case, such as GET or PROPFIND; CONNECT and TRACE are not sent");
        }
        RequestBody body = request.body();
        if (body != null && !VALUE.matcher(body.contentType()).matches()) {
            return refused(Refusal.HEADER, "the content type has a line break, or a character beyond ASCII");
        }
        return refuses(request.headers());
    }

    private static Optional<Outcome.Refused> refuses(List<HttpHeader> headers) {
        if (headers.size() > MOST_HEADERS) {
            return refused(Refusal.HEADER, "there are at most " + MOST_HEADERS);
        }
        for (int i = 0; i < headers.size(); i++) {
            HttpHeader header = headers.get(i);
            if (!NAME.matcher(header.name()).matches()) {
                return refused(
                        Refusal.HEADER, "header " + (i + 1) + " has a name that is none (RFC 9110, section 5.1)");
            }
            if (OWN.contains(header.name().toLowerCase(Locale.ROOT))) {
                return refused(Refusal.HEADER, header.name() + " is the client's own to set");
            }
            if (!VALUE.matcher(header.value()).matches()) {
                return refused(
                        Refusal.HEADER,
                        header.name() + " has a line break, a character beyond ASCII, or more than 8192 characters");
            }
        }
        return Optional.empty();
    }

    private static Optional<Outcome.Refused> refused(Refusal refusal, String more) {
        return Optional.of(new Outcome.Refused(refusal, "the request was refused: " + refusal.what() + "; " + more));
    }
}
