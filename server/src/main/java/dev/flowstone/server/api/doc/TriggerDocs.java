package dev.flowstone.server.api.doc;

import dev.flowstone.server.http.Area;
import dev.flowstone.server.http.Doc;
import dev.flowstone.server.http.Parameter;
import dev.flowstone.server.http.ProblemCode;
import java.util.List;

/** Of triggers, and of what is sent for them. */
public final class TriggerDocs {
    /** Ticks of a schedule that are told at once. */
    public static final int MOST_TICKS = 100;

    private static final int NAME = 200;
    private static final Parameter ID = Parameter.text("id", NAME, "The trigger's id.");

    public static final Doc LIST = Doc.of("listTriggers", Area.TRIGGERS, "Lists triggers by id")
            .query(
                    ExecutionDocs.OF_WORKFLOW,
                    Parameter.choice(
                            "triggerType",
                            List.of("Webhook", "Schedule", "Event", "Manual"),
                            "Only those that are fired so."),
                    Parameter.flag("isEnabled", "Only those that fire now, or don't."))
            .paged()
            .answers(200, "TriggerPage", "A page of them.");

    public static final Doc CREATE = Doc.of("createTrigger", Area.TRIGGERS, "Makes a trigger of a workflow")
            .takes("TriggerCreate")
            .answers(200, "Trigger", "The trigger that this Idempotency-Key made before.")
            .answers(201, "Trigger", "It is made.")
            .located()
            .tagged(Doc.Version.CHANGES)
            .refuses(ProblemCode.WORKFLOW_NOT_FOUND, ProblemCode.IDEMPOTENCY_KEY_REUSED, ProblemCode.LIMIT_EXCEEDED);

    public static final Doc SHOW = one("getTrigger", "Tells a trigger, without its secrets")
            .answers(200, "Trigger", "The trigger.")
            .tagged(Doc.Version.CHANGES);

    public static final Doc UPDATE = change("updateTrigger", "Changes what a trigger is configured with")
            .refuses(ProblemCode.TRIGGER_DECLARED)
            .takes("TriggerUpdate")
            .answers(200, "Trigger", "It is changed.");

    public static final Doc REMOVE = change("removeTrigger", "Removes a trigger; what came for it is shown no more")
            .refuses(ProblemCode.TRIGGER_DECLARED)
            .answers(204, "It is removed.");

    public static final Doc ENABLE =
            change("enableTrigger", "Turns a trigger on").answers(200, "Trigger", "It is on.");

    public static final Doc DISABLE =
            change("disableTrigger", "Turns a trigger off").answers(200, "Trigger", "It is off.");

    public static final Doc FIRE = starts(one("fireTrigger", "Does by hand what a delivery would do"))
            .takes("TriggerFire")
            .refuses(ProblemCode.LIMIT_EXCEEDED, ProblemCode.SIGNAL_BUFFER_FULL);

    public static final Doc DELIVERIES = one("listTriggerDeliveries", "Lists what came for a trigger, the newest first")
            .paged()
            .answers(200, "TriggerDeliveryPage", "A page of them.");

    public static final Doc NEXT = one("listTriggerTicks", "Tells when a schedule fires next")
            .query(
                    Parameter.number("count", 1, MOST_TICKS, "How many ticks; 10 if left out."),
                    Parameter.time("from", "Ticks after this time; after now if left out."))
            .answers(200, "TriggerTicks", "Its ticks, by time; fewer than asked for if there are no more.")
            .refuses(ProblemCode.INVALID_STATE);

    /** At the usual address. */
    public static final Doc RECEIVE = receive("receiveWebhook");

    /** At the address that the installation has besides. */
    public static final Doc RECEIVE_ELSEWHERE = receive("receiveWebhookElsewhere");

    private TriggerDocs() {}

    private static Doc one(String operation, String summary) {
        return Doc.of(operation, Area.TRIGGERS, summary).path(ID).refuses(ProblemCode.TRIGGER_NOT_FOUND);
    }

    private static Doc change(String operation, String summary) {
        return one(operation, summary).tagged(Doc.Version.REVISION).refuses(ProblemCode.PRECONDITION_FAILED);
    }

    private static Doc receive(String operation) {
        return starts(Doc.of(
                                operation,
                                Area.TRIGGERS,
                                "Takes what is sent to a webhook, signed by webhook-id, webhook-timestamp and"
                                        + " webhook-signature (Standard Webhooks)")
                        .path(ID))
                .takes("Json")
                .refuses(ProblemCode.SIGNATURE_REFUSED, ProblemCode.FORBIDDEN, ProblemCode.WEBHOOK_REPLAYED);
    }

    private static Doc starts(Doc doc) {
        return doc.answers(
                        200,
                        "TriggerAnswer",
                        "The execution that this delivery started before; or nothing, since the trigger's condition is"
                                + " false.")
                .answers(202, "ExecutionStarted", "A new execution, which is on disk.")
                .located()
                .tagged(Doc.Version.LAST_EVENT)
                .refuses(
                        ProblemCode.WFENG005,
                        ProblemCode.TRIGGER_DISABLED,
                        ProblemCode.NOT_EXECUTABLE,
                        ProblemCode.SUSPENDED,
                        ProblemCode.QUOTA_EXCEEDED);
    }
}
