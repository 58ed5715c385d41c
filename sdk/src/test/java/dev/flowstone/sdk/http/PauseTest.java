package dev.flowstone.sdk.http;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.net.http.HttpHeaders;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;

final class PauseTest {
    private static Optional<Duration> asked(String problem, Map<String, String> headers) {
        Map<String, List<String>> all =
                headers.entrySet().stream().collect(Collectors.toMap(Map.Entry::getKey, it -> List.of(it.getValue())));
        return Pause.asked(JsonMapper.shared().readTree(problem), HttpHeaders.of(all, (_, _) -> true));
    }

    @Test
    void secondsAreTakenAsTheyAreAsked() {
        assertEquals(Optional.of(Duration.ofHours(1)), asked("{}", Map.of("Retry-After", "3600")));
        assertEquals(
                Optional.of(Duration.ofHours(2)), asked("{\"retryAfterSeconds\": 7200}", Map.of("Retry-After", "1")));
        assertTrue(asked("{\"retryAfterSeconds\": 9223372036854775807}", Map.of())
                .orElseThrow()
                .isPositive());
    }

    @Test
    void aDateIsByTheServersClock() {
        String date = "Fri, 27 Nov 2026 23:05:00 GMT";
        String then = "Fri, 27 Nov 2026 23:05:30 GMT";
        assertEquals(Optional.of(Duration.ofSeconds(30)), asked("{}", Map.of("Retry-After", then, "Date", date)));
        assertEquals(Optional.empty(), asked("{}", Map.of("Retry-After", date, "Date", then)), "it is over");
        assertTrue(asked("{}", Map.of("Retry-After", "Tue, 01 Jan 2999 00:00:00 GMT"))
                .isPresent());
    }

    @ParameterizedTest
    @ValueSource(strings = {"", "soon", "-1", "0", "1.5", "99999999999999999999", "Fri, 99 Nov 2026"})
    void whatIsNoneIsNone(String header) {
        assertEquals(Optional.empty(), asked("{}", Map.of("Retry-After", header)));
        assertEquals(
                Optional.empty(), asked("{}", Map.of("Retry-After", "Fri, 27 Nov 2026 23:05:00 GMT", "Date", header)));
    }
}
