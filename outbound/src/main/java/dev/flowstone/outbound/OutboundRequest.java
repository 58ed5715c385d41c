package dev.flowstone.outbound;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/**
 * Something to send. It isn't checked yet: {@link OutboundClient#send} answers what is wrong with it.
 *
 * @param method a token in upper case, such as GET or PROPFIND; neither CONNECT nor TRACE
 * @param url absolute, http or https
 * @param deadline for the whole of it, redirects included; the client's own if there is none, or if that is earlier
 * @param follows whether it goes where an answer leads; else that answer is the outcome
 */
public record OutboundRequest(
        String method,
        String url,
        List<HttpHeader> headers,
        @Nullable RequestBody body,
        @Nullable Duration deadline,
        boolean follows) {
    private static final Set<String> CREDENTIALS = Set.of("authorization", "cookie", "cookie2", "proxy-authorization");

    public OutboundRequest {
        headers = List.copyOf(headers);
    }

    /** That follows redirects. */
    public OutboundRequest(
            String method,
            String url,
            List<HttpHeader> headers,
            @Nullable RequestBody body,
            @Nullable Duration deadline) {
        this(method, url, headers, body, deadline, true);
    }

    public static OutboundRequest get(String url) {
        return new OutboundRequest("GET", url, List.of(), null, null);
    }

    public static OutboundRequest post(String url, RequestBody body) {
        return new OutboundRequest("POST", url, List.of(), body, null);
    }

    public OutboundRequest withMethod(String other) {
        return new OutboundRequest(other, url, headers, body, deadline, follows);
    }

    /** With these besides those that it has. */
    public OutboundRequest with(HttpHeader... more) {
        List<HttpHeader> all = Stream.concat(headers.stream(), Stream.of(more)).toList();
        return new OutboundRequest(method, url, all, body, deadline, follows);
    }

    public OutboundRequest withDeadline(Duration whole) {
        return new OutboundRequest(method, url, headers, body, whole, follows);
    }

    /** Whose outcome is the first answer, wherever that leads. */
    public OutboundRequest withoutRedirects() {
        return new OutboundRequest(method, url, headers, body, deadline, false);
    }

    OutboundRequest withUrl(String other) {
        return new OutboundRequest(method, other, headers, body, deadline, follows);
    }

    /** As a request for nothing but the answer: what described the body goes with it. */
    OutboundRequest asGet() {
        return new OutboundRequest(
                "GET", url, headersBut(name -> name.startsWith("content-")), null, deadline, follows);
    }

    /** Without what opens something. */
    OutboundRequest withoutCredentials() {
        List<HttpHeader> open = headersBut(CREDENTIALS::contains).stream()
                .filter(header -> !header.secret())
                .toList();
        return new OutboundRequest(method, url, open, body, deadline, follows);
    }

    private List<HttpHeader> headersBut(Predicate<String> unwanted) {
        return headers.stream()
                .filter(header -> !unwanted.test(header.name().toLowerCase(Locale.ROOT)))
                .toList();
    }

    /** Without the URL, which may hold a password, and without the headers' values. */
    @Override
    public String toString() {
        return method + " " + headers + (body == null ? "" : " " + body);
    }
}
