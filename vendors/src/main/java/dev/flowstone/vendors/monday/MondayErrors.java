package dev.flowstone.vendors.monday;

import dev.flowstone.action.ActionFailure;
import dev.flowstone.vendors.web.Calls;
import dev.flowstone.vendors.web.Complaints;
import dev.flowstone.vendors.web.Fault;
import java.time.Duration;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/**
 * What is wrong, as Monday says it (developer.monday.com, "Error handling", "Rate limits"): {@code errors} beside the data, each with
 * {@code extensions}; before 2025-01 {@code error_code}, {@code error_message} and {@code status_code} at the top.
 */
final class MondayErrors implements Complaints {
    private static final int SERVER_ERROR = 500;

    /** A rate is counted by the minute. */
    private static final Duration USUAL_PAUSE = Duration.ofMinutes(1);

    @Override
    public String said(JsonNode body) {
        JsonNode first = body.path("errors").path(0);
        String code = code(body);
        String message =
                first.path("message").asString(body.path("error_message").asString(""));
        return code.isEmpty() ? message : code + ": " + message;
    }

    @Override
    public Optional<Duration> pause(JsonNode body) {
        JsonNode first = body.path("errors").path(0).path("extensions");
        long seconds = Math.max(
                first.path("error_data")
                        .path("retry_in_seconds")
                        .asLong(first.path("retry_in_seconds").asLong(0)),
                body.path("error_data").path("retry_in_seconds").asLong(0));
        return seconds > 0 ? Optional.of(Duration.ofSeconds(seconds)) : Optional.empty();
    }

    /** Nothing, if there is nothing wrong. */
    static void check(JsonNode body) throws ActionFailure {
        boolean wrong = !body.path("errors").isEmpty() || body.has("error_code") || body.has("error_message");
        if (!wrong) {
            return;
        }
        MondayErrors errors = new MondayErrors();
        String code = code(body);
        Fault fault = fault(code, status(body));
        Optional<Duration> pause = errors.pause(body);
        throw fault.at(
                MondayApi.MONDAY,
                errors.said(body),
                fault == Fault.LIMIT ? pause.or(() -> Optional.of(USUAL_PAUSE)) : pause,
                Map.of("error", code, Calls.MAY_BE_DONE, fault == Fault.FAILED));
    }

    private static String code(JsonNode body) {
        return body.path("errors")
                .path(0)
                .path("extensions")
                .path("code")
                .asString(body.path("error_code").asString(""));
    }

    private static int status(JsonNode body) {
        return body.path("errors")
                .path(0)
                .path("extensions")
                .path("status_code")
                .asInt(body.path("status_code").asInt(0));
    }

    /** Monday writes its words now as {@code UserUnauthorizedException}, now as {@code USER_UNAUTHORIZED}. */
    private static Fault fault(String code, int status) {
        String word = code.replace("_", "").toLowerCase(Locale.ROOT).replaceFirst("exception$", "");
        return switch (word) {
            case "complexity",
                    "complexitybudgetexhausted",
                    "ratelimitexceeded",
                    "maxconcurrencyexceeded",
                    "fieldlimitexceeded",
                    "fieldminuteratelimitexceeded",
                    "ipratelimitexceeded",
                    "dailylimitexceeded" -> Fault.LIMIT;
            case "notauthenticated", "unauthenticated" -> Fault.UNAUTHENTICATED;
            case "userunauthorized", "useraccessdenied" -> Fault.FORBIDDEN;
            case "resourcenotfound", "invalidboardid", "invaliditemid", "invalidcolumnid" -> Fault.NOT_FOUND;
            case "internalservererror", "apitemporarilyblocked" -> Fault.FAILED;
            default -> byStatus(status);
        };
    }

    private static Fault byStatus(int status) {
        return status < 400 ? Fault.REFUSED : status >= SERVER_ERROR ? Fault.FAILED : Fault.ofStatus(status, false);
    }
}
