package dev.flowstone.server.effect;

import dev.flowstone.engine.task.ActionDescription;
import dev.flowstone.engine.task.ActionDescription.Parameter;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.engine.task.OneWayAction;
import dev.flowstone.engine.task.OneWayCall;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonPointer;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * {@code core.webhook}: sends {@code {"type", "timestamp", "data"}} to an endpoint of the configuration; the timestamp is that of
 * the event that scheduled the attempt, so that a message is the same each time it is delivered.
 */
public final class WebhookAction implements OneWayAction {
    /** How a webhook's destination begins. */
    static final String DESTINATION = "webhook:";

    private static final String ENDPOINT = "endpoint";
    private static final String TYPE = "type";
    private static final String DATA = "data";
    private static final Set<String> MEMBERS = Set.of(ENDPOINT, TYPE, DATA);
    private static final int LONGEST_TYPE = 200;
    private static final Pattern TYPE_FORM = Pattern.compile("[A-Za-z0-9_-]+(?:\\.[A-Za-z0-9_-]+)*");

    private static final ActionDescription DESCRIPTION = new ActionDescription(
            new HandlerName("core.webhook"),
            "Sends a signed webhook through the outbox, and waits for nothing: its output is {\"message\": KEY}.",
            List.of(
                    new Parameter(ENDPOINT, true, "text, the name of an endpoint: webhook.NAME.url is set for it"),
                    new Parameter(TYPE, true, "text, what has happened, such as com.example.order.paid"),
                    new Parameter(DATA, false, "anything, what there is to say of it; default an empty object")));

    private final Set<String> endpoints;

    /** @param endpoints that are configured */
    WebhookAction(Set<String> endpoints) {
        this.endpoints = Set.copyOf(endpoints);
    }

    /** Adds it; also where there is nowhere to send to, because its message may have been committed where there was. */
    public static void register(HandlerRegistry.Builder actions, Set<String> endpoints) {
        actions.oneWay(DESCRIPTION, new WebhookAction(endpoints));
    }

    @Override
    public Posting post(OneWayCall call) {
        if (!(call.input() instanceof JsonObject input)) {
            return new Posting.Invalid("INVALID_PARAMETER", "", "core.webhook takes endpoint, type and data");
        }
        for (String name : input.members().keySet()) {
            if (!MEMBERS.contains(name)) {
                return new Posting.Invalid(
                        "INVALID_PARAMETER",
                        "/" + JsonPointer.escape(name),
                        "core.webhook takes endpoint, type and data, and nothing else");
            }
        }
        Optional<String> endpoint = text(input, ENDPOINT);
        if (endpoint.isEmpty()) {
            return new Posting.Invalid("INVALID_PARAMETER", "/" + ENDPOINT, "endpoint is the name of an endpoint");
        }
        if (!endpoints.contains(endpoint.get())) {
            return new Posting.Invalid(
                    "UNKNOWN_ENDPOINT",
                    "/" + ENDPOINT,
                    "no endpoint of this name is configured; known are " + new TreeSet<>(endpoints)
                            + ", and webhook.NAME.url with webhook.NAME.secret sets another");
        }
        Optional<String> type = text(input, TYPE).filter(WebhookAction::isType);
        if (type.isEmpty()) {
            return new Posting.Invalid(
                    "INVALID_PARAMETER",
                    "/" + TYPE,
                    "type is 1 to " + LONGEST_TYPE
                            + " letters, digits, hyphens and underscores with dots between them, such as com.example.order.paid");
        }
        return new Posting.Message(
                DESTINATION + endpoint.get(),
                JsonObject.builder()
                        .put(TYPE, type.get())
                        .put("timestamp", call.at().toString())
                        .put(DATA, input.find(DATA).orElse(JsonObject.EMPTY))
                        .build());
    }

    private static boolean isType(String text) {
        return text.length() <= LONGEST_TYPE && TYPE_FORM.matcher(text).matches();
    }

    private static Optional<String> text(JsonObject input, String name) {
        Optional<JsonValue> value = input.find(name);
        return value.isPresent() && value.get() instanceof JsonString(String text)
                ? Optional.of(text)
                : Optional.empty();
    }
}
