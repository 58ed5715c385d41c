package dev.flowstone.engine.shard;

import dev.flowstone.engine.journal.HumanTaskRow;
import dev.flowstone.kernel.event.HumanEvent;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.PayloadCodec;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Quorum;
import dev.flowstone.kernel.state.Assignee;
import dev.flowstone.kernel.state.Claim;
import dev.flowstone.kernel.state.HumanDecision;
import dev.flowstone.kernel.state.HumanTaskState;
import dev.flowstone.kernel.state.OpenHumanTask;
import dev.flowstone.kernel.state.RunState;
import dev.flowstone.kernel.state.TimerState;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/** What lists show of open human tasks, written in the commit that changes them. */
final class HumanTasks {
    private HumanTasks() {}

    /** The task that an event tells something of. */
    static Optional<ActivationId> of(HumanEvent event) {
        return switch (event) {
            case HumanEvent.HumanTaskOpened it -> Optional.of(it.activation());
            case HumanEvent.TaskClaimed it -> Optional.of(it.activation());
            case HumanEvent.ClaimReleased it -> Optional.of(it.activation());
            case HumanEvent.TaskReassigned it -> Optional.of(it.activation());
            case HumanEvent.TaskDelegated it -> Optional.of(it.activation());
            case HumanEvent.HumanDecided it -> Optional.of(it.activation());
            case HumanEvent.HumanTaskSettled it -> Optional.of(it.activation());
            case HumanEvent.TaskReminded it -> Optional.of(it.activation());
            case HumanEvent.TaskEscalated it -> Optional.of(it.activation());
            case HumanEvent.ReminderFailed it -> Optional.of(it.activation());
            case HumanEvent.DecisionsVoided it -> Optional.of(it.activation());
            case HumanEvent.DecisionApplied _, HumanEvent.AttestationRequested _, HumanEvent.AttestationGiven _ ->
                Optional.empty();
        };
    }

    /** The row of a task that is open; empty if it is over. */
    static Optional<HumanTaskRow> row(RunState state, ActivationId activation) {
        return state.humanTask(activation).map(open -> row(state, open));
    }

    private static HumanTaskRow row(RunState state, OpenHumanTask open) {
        HumanTaskState task = open.task();
        Optional<Claim> claim = Optional.ofNullable(task.claim());
        Optional<Instant> due = open.due().stream().map(TimerState::dueAt).min(Instant::compareTo);
        return new HumanTaskRow(
                task.activation(),
                task.openedAt(),
                asked(task.undecided().stream().limit(inTurn(state, task))),
                claim.map(it -> it.by().toString()),
                due,
                content(state, open, claim));
    }

    /** How many of those who have not decided may do so now: a serial quorum asks one at a time. */
    private static long inTurn(RunState state, HumanTaskState task) {
        boolean serial = state.program().node(task.activation().node()) instanceof Node.HumanTask node
                && node.quorum() instanceof Quorum.Serial;
        return serial ? 1 : Long.MAX_VALUE;
    }

    private static List<String> asked(Stream<Assignee> assignees) {
        return assignees.map(assignee -> assignee.party().toString()).toList();
    }

    private static JsonObject content(RunState state, OpenHumanTask open, Optional<Claim> claim) {
        HumanTaskState task = open.task();
        List<JsonValue> timers = new ArrayList<>();
        for (TimerState timer : open.due()) {
            timers.add(JsonObject.builder()
                    .put("name", timer.timer().value())
                    .put("dueAt", timer.dueAt().toString())
                    .build());
        }
        List<JsonValue> decisions = new ArrayList<>();
        for (HumanDecision decision : task.decisions()) {
            decisions.add(JsonObject.builder()
                    .put("actor", decision.actor().toString())
                    .put("outcome", decision.outcome().name())
                    .build());
        }
        List<JsonValue> outcomes = new ArrayList<>();
        if (state.program().node(task.activation().node()) instanceof Node.HumanTask node) {
            node.outcomes().forEach(outcome -> outcomes.add(new JsonString(outcome.name())));
        }
        List<JsonValue> later = new ArrayList<>();
        asked(task.undecided().stream().skip(inTurn(state, task))).forEach(party -> later.add(new JsonString(party)));
        return JsonObject.builder()
                .put("later", new JsonArray(later))
                .put("request", PayloadCodec.write(task.request()))
                .put("outcomes", new JsonArray(outcomes))
                .put("decisions", new JsonArray(decisions))
                .put("timers", new JsonArray(timers))
                .putIfPresent("claimedUntil", claim.map(it -> it.expiresAt().toString()))
                .build();
    }
}
