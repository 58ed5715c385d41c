package dev.flowstone.kernel.state;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Payload;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/** Rough sizes in bytes of heap, for the bound of a cache of states. */
public final class Weight {
    static final long STATE = 1_000;
    static final long ACTIVATION = 400;
    static final long ITEM = 100;
    static final long TIMER = 250;
    static final long BRANCH = 600;
    /** A sender that was heard, an await, held permits, a child. */
    static final long OTHER = 300;

    static final long VERDICT = 150;
    private static final long PERSON = 150;
    private static final long VALUE = 32;

    private Weight() {}

    /** Of a whole state, as appliers count it event by event; for snapshots. */
    static long of(Draft draft) {
        long sum = STATE + ITEM * draft.queue.size() + TIMER * draft.timers.size() + of(draft.output);
        for (Payload root : draft.input.values()) {
            sum += of(root);
        }
        for (JsonObject input : draft.control.buffer().values()) {
            sum += HoldApplier.weight(input);
        }
        for (NodeState node : draft.nodes.values()) {
            sum += of(node.result()) + ACTIVATION * node.activations().size();
            for (Activation activation : node.activations().values()) {
                sum += of(activation.input());
            }
        }
        for (ScopeInstance scope : draft.tree.scopes.values()) {
            sum += of(scope.branch());
        }
        for (ForkState fork : draft.tree.forks.values()) {
            sum += of(fork);
        }
        for (HumanTaskState task : draft.people.humanTasks.values()) {
            sum += of(task);
        }
        sum += VERDICT * (draft.people.verdicts.size() + draft.people.voided.size());
        for (Attestation attestation : draft.people.attestations.values()) {
            sum += of(attestation);
        }
        for (Variable variable : draft.data.variables.values()) {
            sum += of(variable);
        }
        return sum;
    }

    /** What a branch remembers; nothing for none. */
    static long of(@Nullable BranchState branch) {
        if (branch == null) {
            return 0;
        }
        long sum = BRANCH;
        for (Payload result : branch.results().values()) {
            sum += of(result);
        }
        return sum;
    }

    /** The items and the results of a fork. */
    static long of(ForkState fork) {
        long sum = ACTIVATION + (fork.items() == null ? 0 : of(Payload.of(fork.items())));
        for (JsonObject result : fork.results().values()) {
            sum += of(Payload.of(result));
        }
        return sum;
    }

    static long of(HumanTaskState task) {
        long sum = ACTIVATION + of(task.request()) + PERSON * (task.claim() == null ? 0 : 1);
        for (Assignee assignee : task.assignees()) {
            sum += PERSON * (1 + assignee.chain().size());
        }
        for (HumanDecision decision : task.decisions()) {
            sum += 2 * PERSON + decision.rationale().map(String::length).orElse(0);
        }
        return sum;
    }

    static long of(Attestation attestation) {
        return PERSON + attestation.reason().length();
    }

    static long of(Variable variable) {
        return 2 * VALUE + of(Payload.of(variable.value()));
    }

    /** Cost linear in the value; nothing for none. */
    public static long of(@Nullable Payload payload) {
        if (payload == null) {
            return 0;
        }
        if (!(payload instanceof Payload.Inline inline)) {
            return VALUE;
        }
        long sum = 0;
        Deque<JsonValue> open = new ArrayDeque<>();
        open.push(inline.value());
        while (!open.isEmpty()) {
            JsonValue value = open.pop();
            sum += VALUE;
            switch (value) {
                case JsonString string -> sum += string.value().length();
                case JsonArray array -> array.items().forEach(open::push);
                case JsonObject object -> {
                    for (Map.Entry<String, JsonValue> member : object.members().entrySet()) {
                        sum += VALUE + member.getKey().length();
                        open.push(member.getValue());
                    }
                }
                default -> {}
            }
        }
        return sum;
    }
}
