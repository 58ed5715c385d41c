package dev.flowstone.vendors.monday;

import dev.flowstone.action.ActionFailure;
import dev.flowstone.vendors.web.Complaints;
import dev.flowstone.vendors.web.Fault;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import tools.jackson.databind.JsonNode;

/**
 * What is wrong, as Monday says it (developer.monday.com, "Error handling", "Rate limits"): {@code errors} beside the data, each with
 * {@code extensions}; before 2025-01 {@code error_code}, {@code error_message} and {@code status_code} at the top.
 */
final class MondayErrors implements Complaints {
    /** A rate is counted by the minute. */
    private static final Duration USUAL_PAUSE = Duration.ofMinutes(1);

    @Override
    public String said(JsonNode body) {
        JsonNode errors = body.path("errors");
        JsonNode first = errors.path(0);
        String code = code(body);
        String message = Stream.of(first.path("message"), body.path("error_message"), first, errors)
                .filter(JsonNode::isString)
                .map(JsonNode::asString)
                .findFirst()
                .orElse("");
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

    @Override
    public Duration usualPause() {
        return USUAL_PAUSE;
    }

    @Override
    public Optional<Fault> fault(JsonNode body) {
        return Optional.ofNullable(meaning(code(body)));
    }

    /** Nothing, if there is nothing wrong. */
    static void check(JsonNode body) throws ActionFailure {
        if (!isThere(body.path("errors"))
                && !isThere(body.path("error_code"))
                && !isThere(body.path("error_message"))) {
            return;
        }
        Complaints errors = MondayApi.MONDAY.complaints();
        int status = status(body);
        Fault fault = errors.fault(body).orElse(status < 400 ? Fault.REFUSED : Fault.ofStatus(status, false));
        boolean mayBeDone = fault == Fault.FAILED || hasData(body.path("data"));
        throw fault.of(
                new Fault.Answered(MondayApi.MONDAY, errors.said(body), errors.pause(body), mayBeDone),
                "error",
                code(body));
    }

    private static boolean isThere(JsonNode member) {
        return !member.isMissingNode() && !member.isNull() && !(member.isContainer() && member.isEmpty());
    }

    /** Errors may stand beside what was done. */
    private static boolean hasData(JsonNode data) {
        return data.valueStream().anyMatch(member -> !member.isNull());
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
    private static @Nullable Fault meaning(String code) {
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
            default -> null;
        };
    }
}
