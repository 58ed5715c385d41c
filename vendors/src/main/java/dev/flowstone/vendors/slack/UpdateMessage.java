package dev.flowstone.vendors.slack;

import dev.flowstone.action.Action;
import dev.flowstone.action.ActionContext;
import dev.flowstone.action.ActionFailure;
import dev.flowstone.action.ActionResult;
import dev.flowstone.action.ActionSpec;
import dev.flowstone.action.Param;
import dev.flowstone.vendors.slack.UpdateMessage.Parameters;
import dev.flowstone.vendors.slack.UpdateMessage.Updated;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.JsonNodeFactory;

/** {@code slack.update-message}: a message says something else; saying it twice changes nothing. */
final class UpdateMessage implements Action<Parameters, Updated> {
    private final SlackApi api;

    UpdateMessage(SlackApi api) {
        this.api = api;
    }

    record Parameters(
            @Param(value = "the id of the message's channel", pattern = "^[A-Za-z0-9]+$", maxLength = 80)
            String channelId,

            @Param(value = "the message's ts", pattern = "^[0-9]+\\.[0-9]+$", maxLength = 40)
            String ts,

            @Param(value = "what it says from now on", minLength = 1, maxLength = 40_000)
            String message) {}

    record Updated(String channelId, String ts) {}

    @Override
    public ActionSpec<Parameters, Updated> spec() {
        return ActionSpec.of("slack.update-message", Parameters.class, Updated.class)
                .described("Update message", "Changes what a message of the app says.")
                .category("Communication", "message", "chat")
                .build();
    }

    @Override
    public ActionResult<Updated> run(Parameters wanted, ActionContext context)
            throws ActionFailure, InterruptedException {
        JsonNode answer = api.attempt(context)
                .post(
                        "chat.update",
                        JsonNodeFactory.instance
                                .objectNode()
                                .put("channel", wanted.channelId())
                                .put("ts", wanted.ts())
                                .put("text", wanted.message()));
        return ActionResult.succeeded(new Updated(
                answer.path("channel").asString(wanted.channelId()),
                answer.path("ts").asString(wanted.ts())));
    }
}
