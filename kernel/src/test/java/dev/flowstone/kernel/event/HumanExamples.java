package dev.flowstone.kernel.event;

import dev.flowstone.kernel.command.Party;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Outcome;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** One of each kind of event about people and data, with everything in it and with nothing that may be left out. */
final class HumanExamples {
    private static final ActivationId A = ActivationId.parse("prüfung#2");
    private static final Party ANN = Party.user("ann:lee");
    private static final Party CFO = Party.role("cfo \"x\"");
    private static final Payload WORD = Payload.of(new JsonString("é"));
    private static final Instant AT = Instant.parse("2026-11-27T12:00:00.000001Z");

    static final List<EventBody> ALL = List.of(
            new HumanEvent.HumanTaskOpened(A, List.of(ANN, CFO), WORD, Optional.of(7L)),
            new HumanEvent.HumanTaskOpened(A, List.of(), WORD, Optional.empty()),
            new HumanEvent.TaskClaimed(A, Optional.of(CFO), AT),
            new HumanEvent.TaskClaimed(A, Optional.empty(), AT),
            new HumanEvent.ClaimReleased(A, HumanEvent.Release.REPLACED),
            new HumanEvent.TaskReassigned(A, Optional.of(ANN), "ill", List.of(CFO, Party.user("bob"))),
            new HumanEvent.TaskReassigned(A, Optional.empty(), "ill", List.of(CFO)),
            new HumanEvent.TaskDelegated(A, ANN, "away", CFO),
            new HumanEvent.HumanDecided(
                    A,
                    new Outcome("approved"),
                    Optional.of(CFO),
                    Optional.of(ANN),
                    Optional.of("looks\ngood"),
                    Optional.of(7L),
                    true),
            new HumanEvent.HumanDecided(
                    A,
                    new Outcome("approved"),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    false),
            new HumanEvent.HumanTaskSettled(A, HumanEvent.Settlement.VETO, new Outcome("rejected"), WORD),
            new HumanEvent.TaskReminded(A, "soon"),
            new HumanEvent.TaskEscalated(A, List.of(CFO), "late", true),
            new HumanEvent.ReminderFailed(A, TaskError.of("NO_ASSIGNEE", "nobody"), "late"),
            new HumanEvent.DecisionsVoided(A, 8),
            new HumanEvent.DecisionApplied(ActivationId.parse("gate#1"), A),
            new HumanEvent.AttestationRequested(Optional.of(A), "undo-1", "the money is gone"),
            new HumanEvent.AttestationRequested(Optional.empty(), "undo-2", "the money is gone"),
            new HumanEvent.AttestationGiven("undo-1", "got it back"),
            new DataEvent.SubjectChanged(false, 8),
            new DataEvent.VariablesSet(Optional.of(A), Map.of("b", JsonNumber.of(1), "a", word()), Optional.empty()),
            new DataEvent.VariablesSet(Optional.empty(), Map.of("x", JsonNumber.of(1)), Optional.of("fixed")),
            new DataEvent.ContextPruned(
                    new TreeMap<>(Map.of(new NodeId("prüfung"), 4_711L, new NodeId("b"), 1L << 40))));

    private HumanExamples() {}

    private static JsonString word() {
        return new JsonString("é");
    }
}
