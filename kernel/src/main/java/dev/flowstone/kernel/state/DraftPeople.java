package dev.flowstone.kernel.state;

import dev.flowstone.kernel.collection.SortedTree;
import dev.flowstone.kernel.id.ActivationId;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What people are asked, have decided and attested. A part of a {@link Draft}, under the same rules. */
public final class DraftPeople {
    /** Those that are open. */
    SortedTree<ActivationId, HumanTaskState> humanTasks = SortedTree.empty();

    /** Those of them that the newest change of the subject is still to be dealt with for; only the keys count. */
    SortedTree<ActivationId, HumanTaskState> drifting = SortedTree.empty();

    SortedTree<Verdict.Key, Verdict> verdicts = SortedTree.empty();

    /** Void, which is still to be told. */
    SortedTree<Verdict.Key, Verdict> voided = SortedTree.empty();

    SortedTree<String, Attestation> attestations = SortedTree.empty();

    DraftPeople() {}

    DraftPeople(DraftPeople other) {
        this.humanTasks = other.humanTasks;
        this.drifting = other.drifting;
        this.verdicts = other.verdicts;
        this.voided = other.voided;
        this.attestations = other.attestations;
    }

    /** Null if nobody is asked, or not any more. */
    public @Nullable HumanTaskState humanTask(ActivationId id) {
        return humanTasks.get(id);
    }

    /** Whether the newest change of the subject is still to be dealt with for this task. */
    public boolean isDrifting(ActivationId id) {
        return drifting.get(id) != null;
    }

    /** A task that the newest change of the subject is still to be dealt with for, or null. */
    public @Nullable ActivationId firstDrifting() {
        return drifting.firstKey();
    }

    /** A decision that is void, which is still to be told, or null. */
    public @Nullable ActivationId firstVoided() {
        Verdict.Key first = voided.firstKey();
        Verdict verdict = first == null ? null : voided.get(first);
        return verdict == null ? null : verdict.decided();
    }

    /** Decisions that wait for a gate to use them. */
    public List<Verdict> verdicts() {
        return verdicts.values();
    }

    /** Null if it is not open. */
    public @Nullable Attestation attestation(String id) {
        return attestations.get(id);
    }
}
