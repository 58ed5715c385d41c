package dev.flowstone.sdk.http;

import java.net.http.HttpHeaders;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.ZonedDateTime;
import java.time.format.DateTimeFormatter;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** How long a server, or what stands in between, asks not to be called. */
public final class Pause {
    /** As the header can say. */
    private static final long MOST = 999_999_999;

    private Pause() {}

    /**
     * The pause: what the server's own words say, else the header, in seconds or as a date (RFC 9110
     * §10.2.3).
     *
     * @param problem empty if the answer had none
     */
    public static Optional<Duration> asked(JsonNode problem, HttpHeaders headers) {
        long seconds = problem.path("retryAfterSeconds").asLong(0);
        Optional<Duration> pause = seconds > 0
                ? Optional.of(Duration.ofSeconds(Math.min(seconds, MOST)))
                : headers.firstValue("Retry-After").flatMap(it -> read(it, headers));
        return pause.filter(Duration::isPositive);
    }

    private static Optional<Duration> read(String header, HttpHeaders headers) {
        if (header.matches("[0-9]{1,9}")) {
            return Optional.of(Duration.ofSeconds(Long.parseLong(header)));
        }
        try {
            // The server's clock, if it says so: this machine's may differ.
            Instant now = headers.firstValue("Date").map(Pause::date).orElseGet(Instant::now);
            return Optional.of(Duration.between(now, date(header)));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }

    private static Instant date(String header) {
        return ZonedDateTime.parse(header, DateTimeFormatter.RFC_1123_DATE_TIME).toInstant();
    }
}
