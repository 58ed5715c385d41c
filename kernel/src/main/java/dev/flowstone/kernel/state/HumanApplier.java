package dev.flowstone.kernel.state;

import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventHeader;
import dev.flowstone.kernel.event.HumanEvent;
import dev.flowstone.kernel.event.HumanEvent.HumanDecided;
import dev.flowstone.kernel.event.HumanEvent.HumanTaskOpened;
import dev.flowstone.kernel.event.HumanEvent.HumanTaskSettled;
import dev.flowstone.kernel.id.ActivationId;
import java.util.List;
import java.util.Optional;
import java.util.function.UnaryOperator;

/** What people are asked and what they answer (R13–R15). */
final class HumanApplier {
    private HumanApplier() {}

    static void apply(Draft draft, Event event, HumanEvent human) {
        EventHeader header = event.header();
        switch (human) {
            case HumanTaskOpened body -> opened(draft, header, body);
            case HumanEvent.TaskClaimed body -> {
                Claim claim = new Claim(Speaker.of(draft, header).actor(), body.as(), body.expiresAt());
                change(draft, body.activation(), task -> task.claimed(claim));
            }
            case HumanEvent.ClaimReleased body -> change(draft, body.activation(), task -> task.claimed(null));
            case HumanEvent.TaskReassigned body ->
                change(draft, body.activation(), task -> task.replaced(body.from(), body.to()));
            case HumanEvent.TaskDelegated body ->
                change(draft, body.activation(), task -> task.delegated(body.from(), body.to()));
            case HumanDecided body -> {
                draft.waits++;
                HumanDecision decision = decision(Speaker.of(draft, header), header, body);
                change(draft, body.activation(), task -> task.decided(decision));
            }
            case HumanTaskSettled body -> settled(draft, event, body);
            case HumanEvent.TaskReminded _, HumanEvent.ReminderFailed _ -> {}
            case HumanEvent.TaskEscalated body ->
                change(
                        draft,
                        body.activation(),
                        task -> body.replace()
                                ? task.replaced(Optional.empty(), body.assignees())
                                : task.added(body.assignees()));
            case HumanEvent.DecisionsVoided body -> {
                Verdicts.told(draft, body.activation());
                draft.people.drifting = draft.people.drifting.without(body.activation());
                change(draft, body.activation(), HumanTaskState::anew);
            }
            case HumanEvent.DecisionApplied body -> {
                Activation gate = draft.activation(body.activation());
                if (gate != null) {
                    Verdicts.applied(draft, body.decided().node(), gate);
                }
            }
            case HumanEvent.AttestationRequested body -> {
                attested(draft, body.id());
                Attestation attestation = new Attestation(body.id(), body.activation(), body.reason());
                draft.people.attestations = draft.people.attestations.with(body.id(), attestation);
                draft.weight += Weight.of(attestation);
                UndoingApplier.asked(draft, attestation);
            }
            case HumanEvent.AttestationGiven body -> {
                draft.waits++;
                Attestation attestation = draft.people.attestations.get(body.id());
                attested(draft, body.id());
                if (attestation != null) {
                    UndoingApplier.attested(draft, attestation);
                }
            }
        }
    }

    /** Its activation waits for nobody any more, however that came. */
    static void over(Draft draft, ActivationId activation) {
        HumanTaskState task = draft.people.humanTasks.get(activation);
        if (task != null) {
            draft.people.humanTasks = draft.people.humanTasks.without(activation);
            draft.people.drifting = draft.people.drifting.without(activation);
            draft.weight -= Weight.of(task);
        }
    }

    private static void opened(Draft draft, EventHeader header, HumanTaskOpened body) {
        Activation activation = draft.activation(body.activation());
        if (activation == null || !activation.isLive()) {
            return;
        }
        Activations.put(draft, draft.topology.place(body.activation().node()), activation.active());
        List<Assignee> asked = body.assignees().stream().map(Assignee::of).toList();
        HumanTaskState task =
                new HumanTaskState(body.activation(), header.eventTime(), body.request(), asked, null, 0, List.of());
        draft.people.humanTasks = draft.people.humanTasks.with(body.activation(), task);
        draft.weight += Weight.of(task);
    }

    private static HumanDecision decision(Speaker speaker, EventHeader header, HumanDecided body) {
        return new HumanDecision(
                speaker.actor(),
                body.as(),
                body.onBehalfOf(),
                body.outcome(),
                header.eventTime(),
                speaker.authorization(),
                body.rationale(),
                body.subjectVersion(),
                body.override());
    }

    /** One that is settled from outside, by no decision of its own, was waited for all the same. */
    private static void settled(Draft draft, Event event, HumanTaskSettled body) {
        if (event.sequence() == event.header().firstSequence()) {
            draft.waits++;
        }
        Activation activation = draft.activation(body.activation());
        if (activation == null || !activation.isLive()) {
            return;
        }
        Activations.result(draft, activation, body.outcome(), null, body.output());
        if (body.how() != HumanEvent.Settlement.DRIFT) {
            Verdicts.keep(draft, activation, body.outcome());
        }
    }

    static void attested(Draft draft, String id) {
        Attestation attestation = draft.people.attestations.get(id);
        if (attestation != null) {
            draft.people.attestations = draft.people.attestations.without(id);
            draft.weight -= Weight.of(attestation);
        }
    }

    private static void change(Draft draft, ActivationId activation, UnaryOperator<HumanTaskState> change) {
        HumanTaskState before = draft.people.humanTasks.get(activation);
        if (before == null) {
            return;
        }
        HumanTaskState after = change.apply(before);
        draft.people.humanTasks = draft.people.humanTasks.with(activation, after);
        draft.weight += Weight.of(after) - Weight.of(before);
    }
}
