package dev.flowstone.kernel.state;

import dev.flowstone.kernel.collection.LongMap;
import dev.flowstone.kernel.collection.SortedTree;
import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.kernel.event.Times;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** The canonical form of what operators have done; none of a run to which nobody did anything. */
final class ControlSnapshot {
    private ControlSnapshot() {}

    static Optional<JsonObject> write(Controls control) {
        JsonObject.Builder out = JsonObject.builder();
        Suspension held = control.own();
        if (held != null) {
            out.put(
                    "suspension",
                    JsonObject.builder()
                            .put("hold", held.hold().name())
                            .put("timers", held.policy().timers().name())
                            .put("input", held.policy().input().name())
                            .put("reason", held.reason())
                            .put("scope", held.scope())
                            .build());
        }
        WideHold wide = control.wide();
        if (wide.number() > 0) {
            out.put("wide", write(wide));
        }
        if (control.inputs() > 0) {
            out.put("inputs", control.inputs());
        }
        if (!control.buffer().isEmpty()) {
            List<JsonValue> buffer = new ArrayList<>(control.buffer().size());
            control.buffer()
                    .forEach((number, input) -> buffer.add(JsonObject.builder()
                            .put("number", number)
                            .put("input", input)
                            .build()));
            out.put("buffer", new JsonArray(buffer));
        }
        if (!control.frozen().isEmpty()) {
            out.put(
                    "frozen",
                    SnapshotWriter.array(
                            control.frozen().values(),
                            frozen -> JsonObject.builder()
                                    .put("timer", SnapshotWriter.timer(frozen.timer()))
                                    .put("remaining", frozen.remaining().toString())
                                    .build()));
        }
        if (control.thaws() > 0) {
            out.put("thaws", control.thaws());
        }
        if (!control.parked().isEmpty()) {
            out.put("parked", SnapshotWriter.array(control.parked().values(), id -> new JsonString(id.toString())));
        }
        Canceling canceling = control.canceling();
        if (canceling != null) {
            JsonObject.Builder why =
                    JsonObject.builder().put("reason", canceling.reason()).put("undoes", canceling.undoes());
            canceling.supersededBy().ifPresent(run -> why.put("supersededBy", run.toString()));
            out.put("canceling", why.build());
        }
        if (control.mark() != null) {
            out.put("mark", control.mark().value());
        }
        JsonObject form = out.build();
        return form.members().isEmpty() ? Optional.empty() : Optional.of(form);
    }

    private static JsonObject write(WideHold wide) {
        JsonObject.Builder out = JsonObject.builder().put("number", wide.number());
        if (wide.hold() != Hold.NONE) {
            out.put("hold", wide.hold().name())
                    .put("timers", wide.policy().timers().name())
                    .put("input", wide.policy().input().name())
                    .put("reason", wide.reason())
                    .put("scope", wide.scope())
                    .put("waived", wide.waived());
            wide.expiresAt().ifPresent(time -> out.put("expiresAt", Times.write(time)));
        }
        return out.build();
    }

    static void read(Draft draft, JsonCursor at) {
        LongMap<JsonObject> buffer = LongMap.empty();
        for (JsonCursor one : items(at, "buffer")) {
            buffer = buffer.with(one.longValue("number"), one.member("input").object());
        }
        SortedTree<TimerId, FrozenTimer> frozen = SortedTree.empty();
        for (JsonCursor one : items(at, "frozen")) {
            TimerState timer = SnapshotReader.timerState(one.member("timer"));
            frozen = frozen.with(timer.timer(), new FrozenTimer(timer, one.as("remaining", Duration::parse)));
        }
        SortedTree<ActivationId, ActivationId> parked = SortedTree.empty();
        for (JsonCursor one : items(at, "parked")) {
            ActivationId id = one.as(ActivationId::parse);
            parked = parked.with(id, id);
        }
        draft.control = new Controls(
                suspension(at.find("suspension")),
                at.find("wide").map(ControlSnapshot::wide).orElse(WideHold.NONE),
                buffer,
                at.find("inputs").map(JsonCursor::longValue).orElse(0L),
                frozen,
                at.find("thaws").map(JsonCursor::intValue).orElse(0),
                parked,
                canceling(at.find("canceling")),
                at.find("mark").map(mark -> mark.as(NodeId::new)).orElse(null));
    }

    private static @Nullable Suspension suspension(Optional<JsonCursor> found) {
        return found.map(at -> new Suspension(
                        at.as("hold", Hold::valueOf), policy(at), at.string("reason"), at.string("scope")))
                .orElse(null);
    }

    private static WideHold wide(JsonCursor at) {
        long number = at.longValue("number");
        if (at.find("hold").isEmpty()) {
            return WideHold.lifted(number);
        }
        return new WideHold(
                number,
                at.as("hold", Hold::valueOf),
                policy(at),
                at.string("reason"),
                at.string("scope"),
                at.find("expiresAt").map(time -> time.as(Times::read)),
                at.bool("waived"));
    }

    private static HoldPolicy policy(JsonCursor at) {
        return new HoldPolicy(
                at.as("timers", HoldPolicy.TimerRule::valueOf), at.as("input", HoldPolicy.InputRule::valueOf));
    }

    private static @Nullable Canceling canceling(Optional<JsonCursor> found) {
        return found.map(at -> new Canceling(
                        at.string("reason"),
                        at.bool("undoes"),
                        at.find("supersededBy").map(run -> run.as(RunId::parse))))
                .orElse(null);
    }

    static List<JsonCursor> items(JsonCursor at, String name) {
        return at.find(name).map(JsonCursor::items).orElse(List.of());
    }
}
