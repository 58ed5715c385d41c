package dev.flowstone.kernel.state;

import dev.flowstone.kernel.command.TaskAnswer;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Outcome;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/**
 * One visit of a node.
 *
 * @param scope number of the scope instance that it lives in
 * @param via the edges that led to it
 * @param attempt the last one handed out; 0 before the first
 * @param input as rendered for the first attempt, while another may need it
 * @param outcome its result, from when there is one; it becomes final when its edges have been chosen
 * @param answer what settled it, or the effect that was observed after it was canceled
 * @param earlier what its node was called before, as long as it is not over: it may be called so again, and nothing else may
 * @param effects digests of the different successes that came when nobody waited for them, the oldest first
 */
public record Activation(
        ActivationId id,
        int scope,
        ActivationStatus status,
        Sha256 key,
        List<EdgeId> via,
        int attempt,
        @Nullable Payload input,
        @Nullable Outcome outcome,
        @Nullable RecordedAnswer answer,
        List<NodeId> earlier,
        List<Sha256> effects) {
    public Activation {
        earlier = List.copyOf(earlier);
        effects = List.copyOf(effects);
    }

    static Activation opened(ActivationId id, int scope, Sha256 key, List<EdgeId> via) {
        return new Activation(id, scope, ActivationStatus.READY, key, via, 0, null, null, null, List.of(), List.of());
    }

    /** Whether it still waits for its result. */
    public boolean isLive() {
        return !status.isFinal() && outcome == null;
    }

    Activation active() {
        return with(ActivationStatus.ACTIVE, input, outcome, answer);
    }

    Activation attempted(int number, @Nullable Payload rendered) {
        Payload kept = rendered == null ? input : rendered;
        return new Activation(
                id, scope, ActivationStatus.ACTIVE, key, via, number, kept, outcome, answer, earlier, effects);
    }

    Activation resulted(Outcome result, @Nullable RecordedAnswer settled) {
        return with(ActivationStatus.ACTIVE, null, result, settled);
    }

    Activation ended(ActivationStatus end) {
        return with(end, null, outcome, answer);
    }

    /** It waits for its result again. */
    Activation reopened() {
        return with(ActivationStatus.ACTIVE, null, null, null);
    }

    /** Under another name, or another key. */
    Activation renamed(ActivationId name, Sha256 newKey) {
        List<NodeId> names = status.isFinal() ? List.of() : NodeNames.with(earlier, id.node(), name.node());
        return new Activation(name, scope, status, newKey, via, attempt, input, outcome, answer, names, effects);
    }

    /** As it was when it opened, in another run. */
    Activation fresh() {
        return new Activation(id, scope, ActivationStatus.READY, key, via, 0, null, null, null, earlier, List.of());
    }

    /** Whether this success came already when nobody waited for it. */
    public boolean hasObserved(TaskAnswer.Ok effect) {
        return !effects.isEmpty() && effects.contains(RecordedAnswer.of(effect).digest());
    }

    /** An effect that came when nobody waited for it; one that its event told apart is known from now on. */
    Activation observed(RecordedAnswer effect, boolean told) {
        Activation observed = with(status, input, outcome, effect);
        return told && !effects.contains(effect.digest()) ? observed.knowing(effect.digest()) : observed;
    }

    private Activation knowing(Sha256 effect) {
        List<Sha256> all = new ArrayList<>(effects);
        all.add(effect);
        return new Activation(id, scope, status, key, via, attempt, input, outcome, answer, earlier, all);
    }

    /** The same, holding less: for visits that a newer one has followed. */
    Activation condensed() {
        return answer == null ? this : with(status, input, outcome, answer.condensed());
    }

    private Activation with(
            ActivationStatus newStatus,
            @Nullable Payload newInput,
            @Nullable Outcome newOutcome,
            @Nullable RecordedAnswer newAnswer) {
        List<NodeId> names = newStatus.isFinal() ? List.of() : earlier;
        return new Activation(id, scope, newStatus, key, via, attempt, newInput, newOutcome, newAnswer, names, effects);
    }
}
