package dev.flowstone.server.api.doc;

import dev.flowstone.server.http.Area;
import dev.flowstone.server.http.Doc;
import dev.flowstone.server.http.Parameter;
import dev.flowstone.server.http.ProblemCode;
import java.util.List;

/** Of events, as they happen and sent on. */
public final class EventDocs {
    private static final int NAME = 200;

    public static final Doc STREAM = Doc.of("streamEvents", Area.EVENTS, "Tells the tenant's events as they happen")
            .query(
                    Parameter.text("executionId", NAME, "Only those of this execution."),
                    ExecutionDocs.OF_WORKFLOW,
                    Parameter.words("type", List.copyOf(Kinds.OF_EVENTS), "Only those of these kinds."),
                    Parameter.choice(
                            "from",
                            List.of("now", "begin"),
                            "Whether all that are kept come first; only new ones if left out."))
            .answersText(
                    "text/event-stream",
                    "Server-Sent Events without an end: each has an `id` to come back with as Last-Event-ID, and as"
                            + " `data` an Event. One called `damaged` tells the first `event` of an execution that can't"
                            + " be read, and the `error`; the rest of what that commit had of it is left out.")
            .resumable()
            .refuses(ProblemCode.EVENTS_GONE);

    public static final Doc SEND = Doc.of(
                    "sendEvents",
                    Area.EVENTS,
                    "Takes CloudEvents 1.0, structured, batched or binary, and starts what event triggers say")
            .takes("CloudEvent")
            .answers(202, "EventsTaken", "What each event has started; one that nothing wants is taken, too.")
            .refuses(ProblemCode.FORBIDDEN, ProblemCode.LIMIT_EXCEEDED, ProblemCode.UNSUPPORTED_MEDIA_TYPE);

    public static final Doc LIST = Doc.of("listSubscriptions", Area.EVENTS, "Lists subscriptions by name")
            .paged()
            .answers(200, "SubscriptionPage", "A page of them.");

    public static final Doc SHOW = Doc.of("getSubscription", Area.EVENTS, "Tells a subscription")
            .answers(200, "Subscription", "The subscription.");

    public static final Doc PUT = change("putSubscription", "Makes a subscription, or changes what it sends and where")
            .takes("SubscriptionPut")
            .answers(201, "Subscription", "It is made.")
            .refuses(ProblemCode.LIMIT_EXCEEDED);

    public static final Doc REMOVE = Doc.of("removeSubscription", Area.EVENTS, "Removes a subscription, with its place")
            .query(OutboxDocs.REASON)
            .answers(200, "SubscriptionRemoved", "It is removed.")
            .tagged(Doc.Version.REVISION)
            .refuses(ProblemCode.PRECONDITION_FAILED);

    public static final Doc PAUSE =
            change("pauseSubscription", "Stops a subscription").takes("OptionalReason");

    public static final Doc RESUME = change("resumeSubscription", "Lets a subscription go on where it was")
            .takes("OptionalReason");

    public static final Doc REWIND = change("rewindSubscription", "Puts a subscription elsewhere")
            .takes("SubscriptionRewind")
            .refuses(ProblemCode.EVENTS_GONE);

    public static final Doc SKIP = change("skipEvent", "Passes over the event that can't be delivered")
            .takes("SubscriptionSkip")
            .refuses(ProblemCode.INVALID_STATE);

    private EventDocs() {}

    private static Doc change(String operation, String summary) {
        return Doc.of(operation, Area.EVENTS, summary)
                .answers(200, "Subscription", "It is done.")
                .tagged(Doc.Version.REVISION)
                .refuses(ProblemCode.PRECONDITION_FAILED);
    }
}
