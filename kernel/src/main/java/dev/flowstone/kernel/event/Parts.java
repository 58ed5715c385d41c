package dev.flowstone.kernel.event;

import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.payload.PayloadCodec;
import java.time.Duration;
import java.util.List;

/** Stored forms of what several kinds of events hold. */
final class Parts {
    private Parts() {}

    static ActivationId activation(JsonCursor at) {
        return at.as("activation", ActivationId::parse);
    }

    static void edges(FrameOutput out, List<EdgeId> edges) {
        out.ascii("[");
        for (int i = 0; i < edges.size(); i++) {
            out.ascii(i == 0 ? "" : ",");
            out.string(edges.get(i).value());
        }
        out.ascii("]");
    }

    /** {@code {"inline": value}} or {@code {"bytes": n, "stored": hash}}; {@code sealed} is reserved. */
    static void payload(FrameOutput out, Payload payload) {
        out.open();
        switch (payload) {
            case Payload.Inline inline -> out.name("inline").value(inline.value());
            case Payload.Stored stored -> {
                out.name("bytes").number(stored.bytes());
                out.name("stored").hash(stored.hash());
            }
        }
        out.close();
    }

    static Payload payload(JsonCursor at) {
        return PayloadCodec.read(at);
    }

    static void error(FrameOutput out, TaskError error) {
        out.open();
        out.name("code").string(error.code());
        out.name("details").value(error.details());
        out.name("message").string(error.message());
        out.close();
    }

    static TaskError error(JsonCursor at) {
        return new TaskError(
                at.string("code"), at.string("message"), at.member("details").object());
    }

    static Duration duration(JsonCursor at) {
        return at.as(text -> {
            try {
                return Duration.parse(text);
            } catch (java.time.format.DateTimeParseException e) {
                throw new IllegalArgumentException("not a duration: " + text, e);
            }
        });
    }
}
