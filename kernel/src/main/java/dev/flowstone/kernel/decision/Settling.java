package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.Party;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.event.HumanEvent.HumanTaskSettled;
import dev.flowstone.kernel.event.HumanEvent.Settlement;
import dev.flowstone.kernel.event.Times;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.state.HumanDecision;
import dev.flowstone.kernel.state.HumanTaskState;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** Gives a human task its outcome; nothing of it is left behind. */
final class Settling {
    private Settling() {}

    /** After anything that a quorum depends on. */
    static void judge(Deciding deciding, Node.HumanTask node, ActivationId id) {
        HumanTaskState task = deciding.state().people().humanTask(id);
        if (task == null) {
            return;
        }
        switch (QuorumRule.judge(node, task)) {
            case QuorumRule.Judgement.Open _ -> {}
            case QuorumRule.Judgement.Met met -> settle(deciding, task, met.how(), met.outcome(), Optional.empty());
            case QuorumRule.Judgement.Unreachable _ -> {
                if (node.unmet().isPresent()) {
                    settle(deciding, task, Settlement.UNMET, node.unmet().get(), Optional.empty());
                } else {
                    fail(deciding, id, unreachable(task, deciding.bounds()));
                }
            }
        }
    }

    /**
     * The task ends with this outcome.
     *
     * @param reason why it was resolved without its quorum
     */
    static void settle(
            Deciding deciding, HumanTaskState task, Settlement how, Outcome outcome, Optional<String> reason) {
        HumanTimers.cancel(deciding, task.activation());
        JsonObject.Builder resolved = JsonObject.builder();
        reason.ifPresent(why -> resolved.put(
                "resolved",
                JsonObject.builder()
                        .put("actor", deciding.actor().toString())
                        .put("reason", why)
                        .build()));
        JsonObject rest = resolved.build();
        for (Detail detail : Detail.values()) {
            JsonObject output = output(task, outcome, rest, detail);
            boolean small = Answers.size(output) <= deciding.bounds().inlineBytes();
            HumanTaskSettled settled = new HumanTaskSettled(task.activation(), how, outcome, Payload.of(output));
            if (detail == Detail.COUNT) {
                deciding.emit(settled);
            } else if (small && deciding.offer(settled)) {
                return;
            }
        }
    }

    static void fail(Deciding deciding, ActivationId id, TaskError error) {
        HumanTimers.cancel(deciding, id);
        Dispatching.failed(deciding, id, 1, error);
    }

    private static TaskError unreachable(HumanTaskState task, Bounds bounds) {
        JsonArray made = decisions(task.decisions(), Detail.BRIEF);
        JsonValue shown = Answers.size(made) <= bounds.inlineBytes()
                ? made
                : JsonNumber.of((long) task.decisions().size());
        return new TaskError(
                "QUORUM_UNREACHABLE",
                "what was decided leaves no way to meet the quorum of "
                        + task.activation().node(),
                JsonObject.builder().put("decisions", shown).build());
    }

    private static JsonObject output(HumanTaskState task, Outcome outcome, JsonObject rest, Detail detail) {
        JsonObject.Builder out = JsonObject.builder().put("outcome", outcome.name());
        if (detail == Detail.COUNT) {
            out.put("decisions", JsonArray.EMPTY)
                    .put("omitted", task.decisions().size());
        } else {
            out.put("decisions", decisions(task.decisions(), detail));
        }
        rest.members().forEach(out::put);
        return out.build();
    }

    private static JsonArray decisions(List<HumanDecision> decisions, Detail detail) {
        List<JsonValue> all = new ArrayList<>(decisions.size());
        for (HumanDecision decision : decisions) {
            JsonObject.Builder one = JsonObject.builder()
                    .put("actor", decision.actor().toString())
                    .put("outcome", decision.outcome().name())
                    .put("at", Times.write(decision.at()))
                    .putIfPresent("as", decision.as().map(Party::toString))
                    .putIfPresent("onBehalfOf", decision.onBehalfOf().map(Party::toString))
                    .putValueIfPresent(
                            "subjectVersion", decision.subjectVersion().map(JsonNumber::of));
            if (detail == Detail.FULL) {
                one.putIfPresent("authorization", decision.authorization())
                        .putIfPresent("rationale", decision.rationale());
            }
            all.add(one.put("override", decision.override()).build());
        }
        return new JsonArray(all);
    }

    /** How much of each decision an output holds: the most that its bound allows. All of it stands in events anyway. */
    private enum Detail {
        FULL,
        /** Without rationale and authorisation. */
        BRIEF,
        COUNT
    }
}
