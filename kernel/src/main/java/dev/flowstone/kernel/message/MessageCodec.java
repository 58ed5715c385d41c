package dev.flowstone.kernel.message;

import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;

/** Stored forms of messages. A released form keeps its meaning for ever. */
public final class MessageCodec {
    private MessageCodec() {}

    public static JsonObject write(Message message) {
        return JsonObject.builder().put("form", message.toString()).build();
    }

    /**
     * Reads what {@link #write} wrote.
     *
     * @throws IllegalArgumentException if it is no message
     */
    public static Message read(JsonObject content) {
        if (content.get("activation") instanceof JsonString activation) {
            return new Message.Unsubscribe(ActivationId.parse(activation.value()));
        }
        throw new IllegalArgumentException("no message of this form is known to this release");
    }
}
