package dev.flowstone.outbound;

import java.time.Duration;

/**
 * Bounds on what leaves the house.
 *
 * @param policy where requests may go
 * @param connectTimeout for one address, and again for its TLS handshake
 * @param deadline for a whole call: looking up, connecting, sending, reading, redirects
 * @param redirects that are followed; with 0 a redirect is an answer like any other
 * @param bodyBytes of an answer that are kept; what follows is cut off
 * @param headerBytes of one line of an answer's head
 * @param headerLines of an answer
 * @param connections at once, in all
 * @param perHost calls to one host at once; others wait for their turn
 * @param perHostPerSecond calls to one host that begin in a second; 0 for any number
 * @param longestPause that {@code Retry-After} may ask for; a longer one is shortened to this
 */
public record OutboundConfig(
        AddressPolicy policy,
        Duration connectTimeout,
        Duration deadline,
        int redirects,
        int bodyBytes,
        int headerBytes,
        int headerLines,
        int connections,
        int perHost,
        double perHostPerSecond,
        Duration longestPause) {
    private static final int MOST_REDIRECTS = 20;
    private static final int MOST_BYTES = 1 << 30;
    private static final double LEAST_RATE = 0.000_001;
    private static final Duration LONGEST = Duration.ofDays(1);

    public static final OutboundConfig DEFAULT = new OutboundConfig(
            AddressPolicy.PUBLIC_ONLY,
            Duration.ofSeconds(5),
            Duration.ofSeconds(30),
            3,
            1 << 20,
            8_192,
            100,
            1_024,
            32,
            0,
            Duration.ofDays(1));

    public OutboundConfig {
        if (!connectTimeout.isPositive() || !deadline.isPositive() || !longestPause.isPositive()) {
            throw new IllegalArgumentException("timeouts and pauses are longer than nothing");
        }
        if (deadline.compareTo(LONGEST) > 0 || connectTimeout.compareTo(LONGEST) > 0) {
            throw new IllegalArgumentException("a call takes a day at most, and so does connecting");
        }
        if (redirects < 0 || redirects > MOST_REDIRECTS) {
            throw new IllegalArgumentException("from 0 to " + MOST_REDIRECTS + " redirects are followed");
        }
        if (bodyBytes < 0 || bodyBytes > MOST_BYTES) {
            throw new IllegalArgumentException("of a body from 0 to " + MOST_BYTES + " bytes are kept");
        }
        if (headerBytes < 64 || headerLines < 1 || connections < 1 || perHost < 1) {
            throw new IllegalArgumentException("headers have 64 bytes and a line at least, and there is a connection");
        }
        if (!(perHostPerSecond >= 0) || (perHostPerSecond > 0 && perHostPerSecond < LEAST_RATE)) {
            throw new IllegalArgumentException("a rate is 0 or " + LEAST_RATE + " and more");
        }
    }

    public OutboundConfig withPolicy(AddressPolicy other) {
        return new OutboundConfig(
                other,
                connectTimeout,
                deadline,
                redirects,
                bodyBytes,
                headerBytes,
                headerLines,
                connections,
                perHost,
                perHostPerSecond,
                longestPause);
    }

    public OutboundConfig withDeadline(Duration other) {
        return new OutboundConfig(
                policy,
                connectTimeout,
                other,
                redirects,
                bodyBytes,
                headerBytes,
                headerLines,
                connections,
                perHost,
                perHostPerSecond,
                longestPause);
    }

    public OutboundConfig withRedirects(int other) {
        return new OutboundConfig(
                policy,
                connectTimeout,
                deadline,
                other,
                bodyBytes,
                headerBytes,
                headerLines,
                connections,
                perHost,
                perHostPerSecond,
                longestPause);
    }

    public OutboundConfig withBodyBytes(int other) {
        return new OutboundConfig(
                policy,
                connectTimeout,
                deadline,
                redirects,
                other,
                headerBytes,
                headerLines,
                connections,
                perHost,
                perHostPerSecond,
                longestPause);
    }

    /** With other limits on what goes to one host. */
    public OutboundConfig withPerHost(int atOnce, double perSecond) {
        return new OutboundConfig(
                policy,
                connectTimeout,
                deadline,
                redirects,
                bodyBytes,
                headerBytes,
                headerLines,
                connections,
                atOnce,
                perSecond,
                longestPause);
    }
}
