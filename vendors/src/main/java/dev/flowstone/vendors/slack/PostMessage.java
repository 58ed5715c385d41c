package dev.flowstone.vendors.slack;

import dev.flowstone.action.Action;
import dev.flowstone.action.ActionContext;
import dev.flowstone.action.ActionFailure;
import dev.flowstone.action.ActionResult;
import dev.flowstone.action.ActionSpec;
import dev.flowstone.action.Param;
import dev.flowstone.action.ParameterFault;
import dev.flowstone.action.ResourceLink;
import dev.flowstone.vendors.slack.PostMessage.Parameters;
import dev.flowstone.vendors.web.Calls;
import dev.flowstone.vendors.web.Made;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code slack.post-message}: posts a message, once. Slack drops no repetitions itself, so each message has its key in its metadata, and
 * whoever can't be the first looks for that before posting.
 */
final class PostMessage implements Action<Parameters, Posted> {
    private static final int BY_TIME = 7;
    private static final Duration CLOCKS = Duration.ofHours(1);

    private final SlackApi api;

    PostMessage(SlackApi api) {
        this.api = api;
    }

    record Parameters(
            @Param(
                    value = "the id of a channel, a private one or a conversation",
                    pattern = "^[A-Za-z0-9]+$",
                    maxLength = 80)
            String channelId,

            @Param(value = "what it says, in Slack's mrkdwn", minLength = 1, maxLength = 40_000)
            String message,

            @Param(value = "the ts of a message of which it is a reply", pattern = "^[0-9]+\\.[0-9]+$", maxLength = 40)
            Optional<String> threadTs,

            @Param(
                    value =
                            "by which it is known in this channel: executions with the same one post one message, unless they run"
                                    + " at once",
                    minLength = 1,
                    maxLength = 150)
            Optional<String> reference) {}

    @Override
    public ActionSpec<Parameters, Posted> spec() {
        return ActionSpec.of("slack.post-message", Parameters.class, Posted.class)
                .described("Post message", "Posts a message to a channel, once however often it is tried.")
                .category("Communication", "message", "chat", "notify")
                .build();
    }

    @Override
    public List<ParameterFault> check(Parameters wanted) {
        return Made.check(wanted.channelId(), wanted.reference());
    }

    @Override
    public ActionResult<Posted> run(Parameters wanted, ActionContext context)
            throws ActionFailure, InterruptedException {
        Made made = Made.by(context, "slack", "message", wanted.channelId(), wanted.reference());
        Optional<ResourceLink> linked = made.find(context);
        if (linked.isPresent()) {
            return ActionResult.succeeded(Posted.before(linked.get().id()), linked.get());
        }
        SlackApi.Attempt slack = api.attempt(context);
        Optional<Posted> before = before(slack, wanted, context, made.marker());
        if (before.isPresent()) {
            return done(before.get(), made);
        }
        JsonNode answer = slack.post("chat.postMessage", message(wanted, made.marker()));
        return done(
                new Posted(
                        answer.path("channel").asString(wanted.channelId()), SlackApi.SLACK.told(answer, "ts"), true),
                made);
    }

    private static Optional<Posted> before(
            SlackApi.Attempt slack, Parameters wanted, ActionContext context, String marker)
            throws ActionFailure, InterruptedException {
        Markers markers = new Markers(slack, wanted.channelId(), wanted.threadTs());
        if (wanted.reference().isPresent()) {
            // Whoever made it may have done so at any time.
            Markers.Found found = markers.find(marker, Optional.empty());
            if (found.message().isPresent() || found.toTheEnd() || context.attempt() == 1) {
                return found.message();
            }
        }
        if (context.attempt() == 1) {
            return Optional.empty();
        }
        Markers.Found found = markers.find(marker, born(context.executionId()));
        if (found.message().isEmpty() && !found.toTheEnd() && wanted.threadTs().isPresent()) {
            // A thread's newest come last: it may be behind those that were looked at.
            throw new ActionFailure(ActionResult.failed(
                            "VENDOR_OUTCOME_UNKNOWN",
                            "the message may stand in the thread already, which has more replies than are looked"
                                    + " through, and posting again could make it two: look there")
                    .with(Map.of(Calls.MAY_BE_DONE, true)));
        }
        return found.message();
    }

    /** When an execution began, by its id (a UUIDv7), and a while before, since clocks differ. */
    private static Optional<Instant> born(String execution) {
        try {
            UUID id = UUID.fromString(execution);
            return id.version() == BY_TIME
                    ? Optional.of(Instant.ofEpochMilli(id.getMostSignificantBits() >>> Short.SIZE)
                            .minus(CLOCKS))
                    : Optional.empty();
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static ActionResult<Posted> done(Posted posted, Made made) {
        return ActionResult.succeeded(posted, made.link(posted.id(), Optional.empty()));
    }

    private static ObjectNode message(Parameters wanted, String key) {
        ObjectNode message = JsonNodeFactory.instance
                .objectNode()
                .put("channel", wanted.channelId())
                .put("text", wanted.message());
        wanted.threadTs().ifPresent(thread -> message.put("thread_ts", thread));
        message.set("metadata", Markers.metadata(key));
        return message;
    }
}
