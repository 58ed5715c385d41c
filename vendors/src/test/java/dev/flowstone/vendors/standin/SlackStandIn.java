package dev.flowstone.vendors.standin;

import java.time.Instant;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Slack's Web API, as far as messages and channels go. */
public final class SlackStandIn extends StandIn {
    private static final JsonMapper JSON = JsonMapper.shared();
    private static final int LONGEST_TEXT = 40_000;

    /** A channel. */
    private record Channel(String id, String name, boolean isPrivate, boolean isArchived) {}

    private final List<Channel> channels = new CopyOnWriteArrayList<>();
    private final List<ObjectNode> messages = new CopyOnWriteArrayList<>();
    private final Set<String> scopes = ConcurrentHashMap.newKeySet();
    private final AtomicInteger clock = new AtomicInteger(1);
    private final AtomicInteger ofPage = new AtomicInteger(Integer.MAX_VALUE);

    /** With the channels C1 and C456, a private one and an archived one, and an app that has every scope. */
    public SlackStandIn(String token) {
        super(token);
        scopes.addAll(Set.of("chat:write", "channels:history", "channels:read"));
        channels.add(new Channel("C1", "general", false, false));
        channels.add(new Channel("C456", "projects", false, false));
        channels.add(new Channel("G1", "board", true, false));
        channels.add(new Channel("C9", "old", false, true));
    }

    /** What stands in all channels: {@code channel}, {@code text}, {@code ts}. */
    public List<ObjectNode> messages() {
        return List.copyOf(messages);
    }

    /** From now on a page has so many at most, however many are asked for. */
    public void pagesOf(int most) {
        ofPage.set(most);
    }

    /** Somebody posts. */
    public String post(String channel, String text) {
        return post(channel, text, Instant.now());
    }

    /** Somebody answered in a thread. */
    public void reply(String channel, String thread, Instant when) {
        message(channel, post(channel, "A reply", when)).put("thread_ts", thread);
    }

    private String post(String channel, String text, Instant when) {
        ObjectNode message = JSON.createObjectNode()
                .put("type", "message")
                .put("channel", channel)
                .put("text", text)
                .put("ts", "%d.%06d".formatted(when.getEpochSecond(), clock.getAndIncrement()));
        messages.add(message);
        return message.path("ts").asString();
    }

    /** Takes a scope from the app. */
    public void revoke(String scope) {
        scopes.remove(scope);
    }

    @Override
    protected String root() {
        return "/api";
    }

    @Override
    protected Reply unauthenticated(String shown) {
        return wrong(shown.isEmpty() ? "not_authed" : "invalid_auth");
    }

    @Override
    protected Reply status(int status, Got request) {
        String echo = "ekm_" + request.header("Authorization");
        return switch (status) {
            case 429, 503 ->
                Reply.json(status, "{\"ok\":false,\"error\":\"ratelimited\"}")
                        .with("Retry-After", String.valueOf(PAUSE));
            default ->
                Reply.json(status, JSON.createObjectNode().put("ok", false).put("error", echo));
        };
    }

    private static Reply wrong(String error) {
        return Reply.json(200, JSON.createObjectNode().put("ok", false).put("error", error));
    }

    private static Reply missing(String scope) {
        return Reply.json(
                200,
                JSON.createObjectNode()
                        .put("ok", false)
                        .put("error", "missing_scope")
                        .put("needed", scope)
                        .put("provided", "chat:write"));
    }

    @Override
    protected Reply answer(Got request) {
        boolean reads = request.path().startsWith("/conversations.");
        if (!reads && !request.header("Content-Type").startsWith("application/json")) {
            return wrong("invalid_post_type");
        }
        return switch (request.path()) {
            case "/chat.postMessage" -> scopes.contains("chat:write") ? posted(request.json()) : missing("chat:write");
            case "/chat.update" -> updated(request.json());
            case "/conversations.history", "/conversations.replies" ->
                scopes.contains("channels:history") ? history(request) : missing("channels:history");
            case "/conversations.list" -> listed(request);
            default -> wrong("unknown_method");
        };
    }

    private Reply posted(JsonNode body) {
        String channel = body.path("channel").asString("");
        String text = body.path("text").asString("");
        var found = channels.stream().filter(it -> it.id().equals(channel)).findFirst();
        if (found.isEmpty()) {
            return wrong("channel_not_found");
        }
        if (found.get().isArchived()) {
            return wrong("is_archived");
        }
        if (text.isEmpty()) {
            return wrong("no_text");
        }
        if (text.length() > LONGEST_TEXT) {
            return wrong("msg_too_long");
        }
        JsonNode metadata = body.path("metadata");
        if (!metadata.isMissingNode()
                && (!metadata.path("event_type").isString()
                        || !metadata.path("event_payload").isObject())) {
            return wrong("invalid_metadata_format");
        }
        String ts = post(channel, text);
        ObjectNode message = message(channel, ts);
        message.set("metadata", metadata);
        if (body.has("thread_ts")) {
            message.set("thread_ts", body.path("thread_ts"));
        }
        ObjectNode answer =
                JSON.createObjectNode().put("ok", true).put("channel", channel).put("ts", ts);
        answer.set("message", message.deepCopy());
        return Reply.json(200, answer);
    }

    private ObjectNode message(String channel, String ts) {
        return messages.stream()
                .filter(it -> it.path("channel").asString().equals(channel)
                        && it.path("ts").asString().equals(ts))
                .findFirst()
                .orElseGet(JSON::createObjectNode);
    }

    private Reply updated(JsonNode body) {
        String channel = body.path("channel").asString("");
        String ts = body.path("ts").asString("");
        ObjectNode message = message(channel, ts);
        if (message.isEmpty()) {
            return wrong("message_not_found");
        }
        String text = body.path("text").asString("");
        if (text.isEmpty()) {
            return wrong("no_text");
        }
        message.put("text", text);
        return Reply.json(
                200,
                JSON.createObjectNode()
                        .put("ok", true)
                        .put("channel", channel)
                        .put("ts", ts)
                        .put("text", text));
    }

    /** The newest first, a thread's replies no part of it; or a thread from its beginning. */
    private Reply history(Got request) {
        String channel = request.of("channel");
        if (channels.stream().noneMatch(it -> it.id().equals(channel))) {
            return wrong("channel_not_found");
        }
        String thread = request.of("ts");
        List<ObjectNode> all = messages.stream()
                .filter(it -> it.path("channel").asString().equals(channel))
                .filter(it -> it.path("thread_ts").asString("").equals(thread)
                        || it.path("ts").asString().equals(thread))
                .filter(it -> it.path("ts").asString().compareTo(request.of("oldest")) > 0)
                .toList();
        ObjectNode answer = page("messages", thread.isEmpty() ? all.reversed() : all, request);
        if (!request.of("include_all_metadata").equals("true")) {
            answer.path("messages").forEach(it -> ((ObjectNode) it).remove("metadata"));
        }
        return Reply.json(200, answer);
    }

    private Reply listed(Got request) {
        List<ObjectNode> shown = channels.stream()
                .filter(it ->
                        !it.isArchived() || !request.of("exclude_archived").equals("true"))
                .filter(it -> !it.isPrivate() || request.of("types").contains("private_channel"))
                .map(it -> JSON.createObjectNode()
                        .put("id", it.id())
                        .put("name", it.name())
                        .put("is_channel", true)
                        .put("is_private", it.isPrivate())
                        .put("is_archived", it.isArchived()))
                .toList();
        return Reply.json(200, page("channels", shown, request));
    }

    /** From the cursor, which is where it begins, so many as were asked for. */
    private ObjectNode page(String name, List<ObjectNode> all, Got request) {
        int from = request.of("cursor").isEmpty() ? 0 : Integer.parseInt(request.of("cursor"));
        int until = Math.min(all.size(), from + Math.min(ofPage.get(), Integer.parseInt(request.of("limit"))));
        ObjectNode answer = JSON.createObjectNode().put("ok", true);
        ArrayNode shown = answer.putArray(name);
        all.subList(Math.min(from, until), until).forEach(it -> shown.add(it.deepCopy()));
        answer.putObject("response_metadata").put("next_cursor", until < all.size() ? String.valueOf(until) : "");
        return answer;
    }
}
