package dev.flowstone.vendors.web;

import dev.flowstone.action.ActionFailure;
import dev.flowstone.action.ActionResult;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;

/** What vendors refuse or fail at, whatever words they have for it: each has one code and one class of failure. */
public enum Fault {
    UNAUTHENTICATED("VENDOR_UNAUTHENTICATED", "doesn't take the credential: give the connector another one"),
    FORBIDDEN("VENDOR_FORBIDDEN", "forbids it to the credential's owner"),
    NOT_FOUND("VENDOR_NOT_FOUND", "has no such thing, or doesn't show it to the credential's owner"),
    CONFLICT("VENDOR_CONFLICT", "has something that is in the way"),
    REFUSED("VENDOR_REFUSED", "refuses the request"),
    LIMIT("VENDOR_LIMIT", "wants to be left alone for a while"),
    FAILED("VENDOR_FAILED", "can't do it now");

    private static final Duration USUAL_PAUSE = Duration.ofSeconds(30);
    private static final int LONGEST_SAID = 300;

    private final String code;
    private final String meaning;

    Fault(String code, String meaning) {
        this.code = code;
        this.meaning = meaning;
    }

    /** By an HTTP status that isn't success. */
    public static Fault ofStatus(int status, boolean asksForPause) {
        return switch (status) {
            case 401 -> UNAUTHENTICATED;
            case 403 -> FORBIDDEN;
            case 404, 410 -> NOT_FOUND;
            case 409 -> CONFLICT;
            case 429 -> LIMIT;
            case 503 -> asksForPause ? LIMIT : FAILED;
            case 408, 423, 425 -> FAILED;
            default -> status >= 500 ? FAILED : REFUSED;
        };
    }

    /** For programs. */
    public String code() {
        return code;
    }

    /**
     * As a failure of an attempt.
     *
     * @param said the vendor's words; cut off after 300 characters
     * @param pause that it asked for
     */
    public ActionFailure at(Vendor vendor, String said, Optional<Duration> pause, Map<String, Object> details) {
        String words = said.length() > LONGEST_SAID ? said.substring(0, LONGEST_SAID) + "…" : said;
        String message = vendor.name() + " " + meaning + (words.isEmpty() ? "" : ": " + words);
        ActionResult.Failed<?> failed = switch (this) {
            case UNAUTHENTICATED, FORBIDDEN -> ActionResult.denied(code, message);
            case NOT_FOUND, CONFLICT, REFUSED -> ActionResult.failed(code, message);
            case LIMIT -> ActionResult.limited(code, message, pause.orElse(USUAL_PAUSE));
            case FAILED -> {
                ActionResult.Failed<?> later = ActionResult.retriable(code, message);
                yield pause.isPresent() ? later.after(pause.get()) : later;
            }
        };
        return new ActionFailure(failed.with(details));
    }

    /** The same without a pause. */
    public ActionFailure at(Vendor vendor, String said) {
        return at(vendor, said, Optional.empty(), Map.of());
    }
}
