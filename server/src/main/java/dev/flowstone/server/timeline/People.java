package dev.flowstone.server.timeline;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Party;
import dev.flowstone.kernel.event.DataEvent;
import dev.flowstone.kernel.event.HumanEvent;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.server.timeline.Line.Tone;
import java.time.Duration;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Collectors;

/** The lines of what people were asked and what they answered. */
final class People {
    private People() {}

    static List<Line> lines(Duration since, Actor actor, HumanEvent body) {
        return switch (body) {
            case HumanEvent.HumanTaskOpened it ->
                List.of(line(since, it.activation(), "asks", Tone.QUIET).detail(names(it.assignees())));
            case HumanEvent.TaskClaimed it ->
                List.of(line(since, it.activation(), "claimed", Tone.QUIET)
                        .detail("by " + actor + " until " + it.expiresAt()));
            case HumanEvent.ClaimReleased it ->
                List.of(line(since, it.activation(), "claim ended", Tone.QUIET)
                        .detail(it.reason().name()));
            case HumanEvent.TaskReassigned it ->
                List.of(line(since, it.activation(), "reassigned", Tone.QUIET)
                        .detail("by " + actor + " to " + names(it.to()) + ": " + it.reason()));
            case HumanEvent.TaskDelegated it ->
                List.of(line(since, it.activation(), "delegated", Tone.QUIET)
                        .detail("by " + it.from() + " to " + it.to() + ": " + it.reason()));
            case HumanEvent.HumanDecided it ->
                List.of(line(since, it.activation(), "decision", Tone.QUIET)
                        .detail(it.outcome() + " by " + actor + behalf(it.onBehalfOf())));
            case HumanEvent.HumanTaskSettled it ->
                List.of(line(since, it.activation(), "decided", Tone.GOOD)
                        .detail(it.outcome().name())
                        .value(it.output()));
            case HumanEvent.TaskReminded it ->
                List.of(line(since, it.activation(), "reminded", Tone.QUIET).detail(it.reminder()));
            case HumanEvent.TaskEscalated it ->
                List.of(line(since, it.activation(), "escalated", Tone.WARNING).detail("to " + names(it.assignees())));
            case HumanEvent.ReminderFailed it ->
                List.of(line(since, it.activation(), "escalation failed", Tone.WARNING)
                        .detail(it.error().code() + ": " + it.error().message()));
            case HumanEvent.DecisionsVoided it ->
                List.of(line(since, it.activation(), "decisions void", Tone.WARNING)
                        .detail("the subject has version " + it.subjectVersion()));
            case HumanEvent.DecisionApplied it ->
                List.of(line(since, it.activation(), "applied", Tone.GOOD).detail("what " + it.decided() + " decided"));
            case HumanEvent.AttestationRequested it ->
                List.of(Line.of(since, it.activation().map(People::node).orElse(""), "to attest", Tone.WARNING)
                        .detail(it.reason()));
            case HumanEvent.AttestationGiven it ->
                List.of(Line.of(since, "", "attested", Tone.GOOD).detail("by " + actor + ": " + it.statement()));
        };
    }

    static List<Line> lines(Duration since, Actor actor, DataEvent body) {
        return switch (body) {
            case DataEvent.SubjectChanged it ->
                List.of(Line.of(since, "", "subject changed", it.byThisRun() ? Tone.QUIET : Tone.WARNING)
                        .detail("to version " + it.subjectVersion()));
            case DataEvent.ContextPruned it ->
                List.of(Line.of(since, "", "context pruned", Tone.WARNING)
                        .detail(it.bytes().entrySet().stream()
                                .map(one -> one.getKey() + " (" + one.getValue() + " bytes)")
                                .collect(Collectors.joining(", "))));
            case DataEvent.VariablesSet it ->
                List.of(Line.of(since, it.activation().map(People::node).orElse(""), "variables", Tone.QUIET)
                        .detail(new TreeSet<>(it.assigned().keySet())
                                + it.reason()
                                        .map(reason -> " by " + actor + ": " + reason)
                                        .orElse("")));
        };
    }

    private static Line line(Duration since, ActivationId activation, String what, Tone tone) {
        return Line.of(since, node(activation), what, tone);
    }

    private static String node(ActivationId activation) {
        return activation.visit() == 1 ? activation.node().value() : activation.toString();
    }

    private static String names(Collection<Party> parties) {
        return parties.stream().map(Party::toString).collect(Collectors.joining(", "));
    }

    private static String behalf(Optional<Party> behalf) {
        return behalf.map(party -> " on behalf of " + party).orElse("");
    }
}
