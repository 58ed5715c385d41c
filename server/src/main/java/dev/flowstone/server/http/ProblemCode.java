package dev.flowstone.server.http;

import java.util.Arrays;
import java.util.Optional;

/**
 * Every way in which a call is refused: a stable code, its HTTP status, a title and the category of enterprise.md,
 * appendix A, which tells a client what to do. {@code WFENG…} are dataflow.md §20's.
 */
public enum ProblemCode {
    /** {@code REQUEST_ID_CONFLICT_OTHER_WORKFLOW}. */
    WFENG001(409, "The request id belongs to another workflow's execution", Category.CONFLICT),
    /** {@code ILLEGAL_STATE_TRANSITION}: not in this state of the execution. */
    WFENG002(409, "Not possible in the execution's present state", Category.CONFLICT),
    /** {@code RESOURCE_LINK_CONFLICT_OTHER_EXECUTION}: reserved, since a link that loses is told whose the thing is. */
    WFENG003(409, "Another execution has linked it", Category.CONFLICT),
    /** {@code TEMPLATE_NOT_FOUND}: of this id, or of this version. */
    WFENG004(404, "No such document template", Category.PERMANENT),
    /** {@code VALIDATION_ERROR} of a definition or a trigger's payload; carries the faults. */
    WFENG005(400, "The document does not validate", Category.PERMANENT),

    MALFORMED_JSON(400, "The body is not JSON", Category.PERMANENT),
    INVALID_REQUEST(400, "The request is not understood", Category.PERMANENT),
    INVALID_COMMAND(400, "The execution can't be asked that", Category.PERMANENT),
    IMMUTABLE(400, "Published definitions do not change", Category.PERMANENT),
    IDEMPOTENCY_KEY_DIFFERS(400, "Two different idempotency keys", Category.PERMANENT),
    UNAUTHENTICATED(401, "Not known who calls", Category.POLICY_DENIED),
    /** A webhook's delivery that nothing proves to be its sender's, or for which there is no trigger. */
    SIGNATURE_REFUSED(401, "Not signed by a sender of this webhook", Category.POLICY_DENIED),
    FORBIDDEN(403, "Not allowed", Category.POLICY_DENIED),
    PROXIED(403, "A proxy stands before a server that asks for no token", Category.POLICY_DENIED),
    NOT_ASSIGNED(403, "Not asked, or not in turn", Category.POLICY_DENIED),
    ROUTE_NOT_FOUND(404, "No such route", Category.PERMANENT),
    WORKFLOW_NOT_FOUND(404, "No such workflow", Category.PERMANENT),
    VERSION_NOT_FOUND(404, "No such version", Category.PERMANENT),
    POLICY_NOT_FOUND(404, "No such policy", Category.PERMANENT),
    EXECUTION_NOT_FOUND(404, "No such execution", Category.PERMANENT),
    MESSAGE_NOT_FOUND(404, "No such message", Category.PERMANENT),
    DEAD_LETTER_NOT_FOUND(404, "No such dead letter", Category.PERMANENT),
    SUBSCRIPTION_NOT_FOUND(404, "No such subscription", Category.PERMANENT),
    TRIGGER_NOT_FOUND(404, "No such trigger", Category.PERMANENT),
    TEMPLATE_SET_NOT_FOUND(404, "No such template set", Category.PERMANENT),
    CONNECTOR_NOT_FOUND(404, "No such connector", Category.PERMANENT),
    ACTION_NOT_FOUND(404, "No such action", Category.PERMANENT),
    WORKFLOW_TEMPLATE_NOT_FOUND(404, "No such workflow template", Category.PERMANENT),
    NOT_FOUND(404, "The execution has nothing of this name", Category.PERMANENT),
    METHOD_NOT_ALLOWED(405, "Not with this method", Category.PERMANENT),
    NOT_EXECUTABLE(409, "The workflow takes no executions now", Category.CONFLICT),
    /** One that a definition declares is changed with that. */
    TRIGGER_DECLARED(409, "The definition says what the trigger does", Category.CONFLICT),
    /** Templates of this id are in several sets. */
    TEMPLATE_AMBIGUOUS(409, "Which template is meant isn't clear", Category.CONFLICT),
    TRIGGER_DISABLED(409, "The trigger is turned off", Category.CONFLICT),
    WEBHOOK_REPLAYED(409, "A delivery of another time, or one that was sent before", Category.CONFLICT),
    CONFLICT(409, "Settled already", Category.CONFLICT),
    STALE_ACTIVATION(409, "Another visit is the present one", Category.CONFLICT),
    STALE_SUBJECT_VERSION(409, "Decided on another version", Category.CONFLICT),
    SUBJECT_BUSY(409, "Another execution works on it", Category.CONFLICT),
    WORKFLOW_STATE(409, "Not possible in the workflow's present state", Category.CONFLICT),
    /** Of what is neither a workflow nor an execution: a message, a subscription. */
    INVALID_STATE(409, "Not possible in its present state", Category.CONFLICT),
    IDEMPOTENCY_KEY_REUSED(409, "The idempotency key belongs to another request", Category.CONFLICT),
    SUSPENDED(409, "The execution is suspended", Category.SUSPENDED),
    CHANGED_MEANWHILE(409, "Somebody else was faster", Category.CONFLICT),
    EVENTS_GONE(410, "The stream has lost events behind that one", Category.PERMANENT),
    EXECUTION_ARCHIVED(410, "The execution has left with its month", Category.PERMANENT),
    PRECONDITION_FAILED(412, "Not the revision that was expected", Category.CONFLICT),
    BODY_TOO_LARGE(413, "The body is too large", Category.PERMANENT),
    LIMIT_EXCEEDED(413, "A declared bound would be exceeded", Category.PERMANENT),
    URI_TOO_LONG(414, "The address is too long", Category.PERMANENT),
    UNSUPPORTED_MEDIA_TYPE(415, "Not a content type that this route takes", Category.PERMANENT),
    MISDIRECTED(421, "Not for this host", Category.POLICY_DENIED),
    QUOTA_EXCEEDED(429, "The tenant has asked for as much as it may", Category.EXTERNAL_LIMIT),
    RATE_LIMITED(429, "Too many calls", Category.EXTERNAL_LIMIT),
    SIGNAL_BUFFER_FULL(429, "The channel keeps as many signals as it may", Category.EXTERNAL_LIMIT),
    INTERNAL(500, "A fault of ours", Category.RETRYABLE),
    BUSY(503, "Too busy right now", Category.EXTERNAL_LIMIT),
    KEYS_UNAVAILABLE(503, "Tokens can't be checked right now", Category.RETRYABLE),
    UNAVAILABLE(503, "The database does not answer right now", Category.RETRYABLE);

    /** What a client can do about it. */
    enum Category {
        RETRYABLE,
        PERMANENT,
        POLICY_DENIED,
        EXTERNAL_LIMIT,
        CONFLICT,
        SUSPENDED
    }

    private final int status;
    private final String title;
    private final Category category;

    ProblemCode(int status, String title, Category category) {
        this.status = status;
        this.title = title;
        this.category = category;
    }

    public int status() {
        return status;
    }

    /** Whether the same call may be answered otherwise before long, though nobody changes anything in it. */
    public boolean isForNow() {
        return status == 429 || status >= 500 || this == SUSPENDED;
    }

    /** One of this name, if there is one. */
    public static Optional<ProblemCode> of(String name) {
        return Arrays.stream(values()).filter(it -> it.name().equals(name)).findFirst();
    }

    public String title() {
        return title;
    }

    public String category() {
        return category.name().toLowerCase(java.util.Locale.ROOT);
    }
}
