package dev.flowstone.testkit.simulation.planted;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.event.CompensationEvent;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.HumanEvent;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.state.RunState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** A run that has done two things undoes them in the order in which they were done. */
public final class UndoesTheOlderFirst extends SpoiledDecisions {
    @Override
    List<EventBody> spoiled(RunState before, Command command, List<EventBody> events) {
        Optional<ActivationId> turn = events.stream()
                .filter(CompensationEvent.CompensationScheduled.class::isInstance)
                .map(event -> ((CompensationEvent.CompensationScheduled) event).activation())
                .findFirst();
        List<ActivationId> done = done(before);
        if (turn.isEmpty() || done.size() != 2 || !done.contains(turn.get().opposite())) {
            return events;
        }
        ActivationId right = turn.get();
        ActivationId other = done.get(1 - done.indexOf(right.opposite()));
        ActivationId wrong = other.opposite();
        boolean first = holds(before, "stacks", other) || holds(before, "jobs", other);
        boolean second = holds(before, "over", right);
        if (!first && !second) {
            return events;
        }
        return events.stream().map(event -> renamed(event, right, wrong)).toList();
    }

    private static List<ActivationId> done(RunState state) {
        List<ActivationId> done = new ArrayList<>();
        if (state.toJson().get("undoing") instanceof JsonObject undoing
                && undoing.get("known") instanceof JsonArray known) {
            known.items().forEach(id -> done.add(ActivationId.parse(((JsonString) id).value())));
        }
        return done;
    }

    private static boolean holds(RunState state, String part, ActivationId activation) {
        return state.toJson().get("undoing") instanceof JsonObject undoing
                && undoing.get(part) instanceof JsonArray held
                && CanonicalJson.exactText(held).contains("\"" + activation + "\"");
    }

    private static EventBody renamed(EventBody event, ActivationId right, ActivationId wrong) {
        return switch (event) {
            case CompensationEvent.CompensationScheduled body
            when body.activation().equals(right) -> new CompensationEvent.CompensationScheduled(wrong, body.key());
            case CompensationEvent.CompensationFailed body
            when body.activation().equals(right) -> new CompensationEvent.CompensationFailed(wrong, body.error());
            case EventBody.TaskScheduled body
            when body.activation().equals(right) ->
                new EventBody.TaskScheduled(wrong, body.attempt(), body.handler(), body.input(), body.timeout());
            case HumanEvent.AttestationRequested body
            when body.id().equals(right.toString()) ->
                new HumanEvent.AttestationRequested(Optional.of(wrong), wrong.toString(), body.reason());
            default -> event;
        };
    }
}
