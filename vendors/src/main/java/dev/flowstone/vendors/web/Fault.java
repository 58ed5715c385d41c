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

    /** What is known of an answer that is a fault. */
    public record Answered(Vendor vendor, String said, Optional<Duration> pause, boolean mayBeDone) {}

    /**
     * As a failure of an attempt. The vendor's words stay whole: whoever hides secrets in them has to see all of each, and cuts then.
     *
     * @param name of the detail that says more
     */
    public ActionFailure of(Answered answer, String name, Object detail) {
        return failure(answer, Map.of(name, detail, Calls.MAY_BE_DONE, answer.mayBeDone()));
    }

    /** Found without the vendor, or in what it shows: nothing was done. */
    public ActionFailure at(Vendor vendor, String said) {
        return failure(new Answered(vendor, said, Optional.empty(), false), Map.of(Calls.MAY_BE_DONE, false));
    }

    private ActionFailure failure(Answered answer, Map<String, Object> details) {
        Vendor vendor = answer.vendor();
        Optional<Duration> pause = answer.pause();
        String message = vendor.name() + " " + meaning + (answer.said().isEmpty() ? "" : ": " + answer.said());
        ActionResult.Failed<?> failed = switch (this) {
            case UNAUTHENTICATED, FORBIDDEN -> ActionResult.denied(code, message);
            case NOT_FOUND, CONFLICT, REFUSED -> ActionResult.failed(code, message);
            case LIMIT ->
                ActionResult.limited(
                        code, message, pause.orElse(vendor.complaints().usualPause()));
            case FAILED -> {
                ActionResult.Failed<?> later = ActionResult.retriable(code, message);
                yield pause.isPresent() ? later.after(pause.get()) : later;
            }
        };
        return new ActionFailure(failed.with(details));
    }
}
