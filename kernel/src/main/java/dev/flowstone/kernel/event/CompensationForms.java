package dev.flowstone.kernel.event;

import dev.flowstone.kernel.event.CompensationEvent.CompensationApplied;
import dev.flowstone.kernel.event.CompensationEvent.CompensationBegan;
import dev.flowstone.kernel.event.CompensationEvent.CompensationDue;
import dev.flowstone.kernel.event.CompensationEvent.CompensationFailed;
import dev.flowstone.kernel.event.CompensationEvent.CompensationScheduled;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.JsonCursor;
import org.jspecify.annotations.Nullable;

/** Stored forms of undoing. */
final class CompensationForms {
    private CompensationForms() {}

    static void write(FrameOutput out, CompensationEvent body) {
        switch (body) {
            case CompensationDue b -> out.name("scope").number(b.scope());
            case CompensationBegan b -> {
                out.name("entries").number(b.entries());
                out.name("scope").number(b.scope());
            }
            case CompensationScheduled b -> {
                out.name("activation").string(b.activation().toString());
                out.name("key").hash(b.key());
            }
            case CompensationApplied b -> {
                out.name("activation").string(b.activation().toString());
                out.name("attempt").number(b.attempt());
                Parts.payload(out.name("output"), b.output());
            }
            case CompensationFailed b -> {
                out.name("activation").string(b.activation().toString());
                Parts.error(out.name("error"), b.error());
            }
        }
    }

    /** The event of this kind and version, or null if it is none of these. */
    static @Nullable CompensationEvent read(String form, JsonCursor at) {
        return switch (form) {
            case "CompensationDue/1" -> new CompensationDue(at.intValue("scope"));
            case "CompensationBegan/1" -> new CompensationBegan(at.intValue("scope"), at.intValue("entries"));
            case "CompensationScheduled/1" ->
                new CompensationScheduled(Parts.activation(at), at.as("key", Sha256::parse));
            case "CompensationApplied/1" ->
                new CompensationApplied(
                        Parts.activation(at), at.intValue("attempt"), Parts.payload(at.member("output")));
            case "CompensationFailed/1" ->
                new CompensationFailed(Parts.activation(at), Parts.error(at.member("error")));
            default -> null;
        };
    }
}
