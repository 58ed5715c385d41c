package dev.flowstone.vendors.slack;

import dev.flowstone.action.Action;
import dev.flowstone.action.ActionContext;
import dev.flowstone.action.ActionFailure;
import dev.flowstone.action.ActionResult;
import dev.flowstone.action.ActionSpec;
import dev.flowstone.action.Param;
import dev.flowstone.vendors.slack.ListChannels.Listed;
import dev.flowstone.vendors.slack.ListChannels.Parameters;
import dev.flowstone.vendors.web.Query;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** {@code slack.list-channels}: the channels that the app may see, a thousand at most at once. */
final class ListChannels implements Action<Parameters, Listed> {
    private static final int USUAL = 200;
    private static final int OF_PAGE = 200;
    private static final int MOST_PAGES = 20;

    private final SlackApi api;

    ListChannels(SlackApi api) {
        this.api = api;
    }

    record Parameters(
            @Param("whether private channels that the app is in are listed, too")
            Optional<Boolean> includePrivate,

            @Param("whether archived channels are listed, too")
            Optional<Boolean> includeArchived,

            @Param(value = "how many at most; 200 unless said", min = 1, max = 1_000)
            Optional<Integer> limit,

            @Param(value = "the nextCursor of the list that this one goes on with", minLength = 1, maxLength = 500)
            Optional<String> cursor) {}

    record Channel(String id, String name, boolean isPrivate, boolean isArchived) {}

    record Listed(
            List<Channel> channels,

            @Param("by which the list goes on; absent at its end")
            Optional<String> nextCursor) {}

    @Override
    public ActionSpec<Parameters, Listed> spec() {
        return ActionSpec.of("slack.list-channels", Parameters.class, Listed.class)
                .described("List channels", "Lists the channels that the app may see.")
                .category("Communication", "channel")
                .build();
    }

    @Override
    public ActionResult<Listed> run(Parameters wanted, ActionContext context)
            throws ActionFailure, InterruptedException {
        SlackApi.Attempt slack = api.attempt(context);
        int limit = wanted.limit().orElse(USUAL);
        List<Channel> channels = new ArrayList<>();
        String cursor = wanted.cursor().orElse("");
        // A page may have fewer than were asked for, or none, though more follow.
        for (int page = 0; page < MOST_PAGES; page++) {
            JsonNode answer = slack.get(query(wanted, Math.min(OF_PAGE, limit - channels.size()), cursor));
            answer.path("channels").forEach(channel -> channels.add(channel(channel)));
            cursor = answer.path("response_metadata").path("next_cursor").asString("");
            if (cursor.isEmpty() || channels.size() >= limit) {
                break;
            }
        }
        return ActionResult.succeeded(new Listed(channels, Optional.of(cursor).filter(next -> !next.isEmpty())));
    }

    private static Query query(Parameters wanted, int limit, String cursor) {
        Query query = new Query("conversations.list")
                .with("limit", limit)
                .with(
                        "types",
                        wanted.includePrivate().orElse(false) ? "public_channel,private_channel" : "public_channel")
                .with(
                        "exclude_archived",
                        String.valueOf(!wanted.includeArchived().orElse(false)));
        return cursor.isEmpty() ? query : query.with("cursor", cursor);
    }

    private static Channel channel(JsonNode channel) {
        return new Channel(
                channel.path("id").asString(""),
                channel.path("name").asString(""),
                channel.path("is_private").asBoolean(false),
                channel.path("is_archived").asBoolean(false));
    }
}
