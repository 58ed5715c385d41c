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
    private static final Duration LONGEST = Duration.ofMinutes(5);

    private Pause() {}

    /**
     * The pause, at most five minutes: what the server's own words say, else the header, in seconds or as a date (RFC 9110
     * §10.2.3).
     *
     * @param problem empty if the answer had none
     */
    public static Optional<Duration> asked(JsonNode problem, HttpHeaders headers) {
        long seconds = problem.path("retryAfterSeconds").asLong(0);
        Optional<Duration> pause = seconds > 0
                ? Optional.of(Duration.ofSeconds(Math.min(seconds, LONGEST.toSeconds())))
                : headers.firstValue("Retry-After").flatMap(Pause::read);
        return pause.filter(Duration::isPositive).map(asked -> asked.compareTo(LONGEST) < 0 ? asked : LONGEST);
    }

    private static Optional<Duration> read(String header) {
        if (header.matches("[0-9]{1,9}")) {
            return Optional.of(Duration.ofSeconds(Long.parseLong(header)));
        }
        try {
            Instant then = ZonedDateTime.parse(header, DateTimeFormatter.RFC_1123_DATE_TIME)
                    .toInstant();
            return Optional.of(Duration.between(Instant.now(), then));
        } catch (DateTimeException e) {
            return Optional.empty();
        }
    }
}
