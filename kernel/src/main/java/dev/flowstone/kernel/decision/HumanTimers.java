package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.Party;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.HumanEvent;
import dev.flowstone.kernel.event.HumanEvent.Settlement;
import dev.flowstone.kernel.expression.Rendering;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Reminder;
import dev.flowstone.kernel.state.Claim;
import dev.flowstone.kernel.state.HumanTaskState;
import dev.flowstone.kernel.state.TimerState;
import java.time.Instant;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** What happens by itself while people are asked (R14): claims end, they are reminded, others are asked. */
final class HumanTimers {
    private HumanTimers() {}

    /** Nothing of them is left when a human task ends. */
    static void cancel(Deciding deciding, ActivationId id) {
        if (deciding.state().people().humanTask(id) != null
                && deciding.state().program().node(id.node()) instanceof Node.HumanTask node) {
            for (Reminder reminder : node.reminders()) {
                Timers.cancel(deciding, Timers.reminder(id, reminder.name()));
            }
            Timers.cancel(deciding, Timers.claim(id));
        }
    }

    /** The lease of the claim that was just made or extended. */
    static void lease(Deciding deciding, HumanTaskState claimed, Instant expiresAt) {
        ActivationId id = claimed.activation();
        deciding.emit(new EventBody.TimerSet(
                Timers.claim(id),
                Timers.generation(deciding, claimed.claims()),
                expiresAt,
                EventBody.TimerPurpose.CLAIM,
                Optional.of(id)));
    }

    static void release(Deciding deciding, ActivationId id, HumanEvent.Release reason) {
        deciding.emit(new HumanEvent.ClaimReleased(id, reason));
        Timers.cancel(deciding, Timers.claim(id));
    }

    /** Whoever is not asked any more has no claim either. */
    static void releaseIfReplaced(Deciding deciding, ActivationId id) {
        HumanTaskState task = deciding.state().people().humanTask(id);
        Claim claim = task == null ? null : task.claim();
        if (task != null && claim != null && !claim.as().map(task::asks).orElse(false)) {
            release(deciding, id, HumanEvent.Release.REPLACED);
        }
    }

    static void claimEnded(Deciding deciding, TimerState timer) {
        timer.activation()
                .map(deciding.state().people()::humanTask)
                .filter(task -> task.claim() != null)
                .ifPresent(task ->
                        deciding.emit(new HumanEvent.ClaimReleased(task.activation(), HumanEvent.Release.EXPIRED)));
    }

    static void reminds(Deciding deciding, TimerState timer) {
        ActivationId id = timer.activation().orElse(null);
        if (id == null
                || deciding.state().people().humanTask(id) == null
                || !(deciding.state().program().node(id.node()) instanceof Node.HumanTask node)) {
            return;
        }
        Drifting.first(deciding, id);
        HumanTaskState task = deciding.state().people().humanTask(id);
        if (task == null) {
            return;
        }
        String name = timer.timer().value().substring(id.toString().length() + 1);
        for (Reminder reminder : node.reminders()) {
            if (reminder.name().equals(name)) {
                act(deciding, node, task, reminder);
            }
        }
    }

    private static void act(Deciding deciding, Node.HumanTask node, HumanTaskState task, Reminder reminder) {
        ActivationId id = task.activation();
        switch (reminder.action()) {
            case Reminder.Action.Remind _ -> deciding.emit(new HumanEvent.TaskReminded(id, reminder.name()));
            case Reminder.Action.Resolve resolve ->
                Settling.settle(deciding, task, Settlement.RESOLVED, resolve.outcome(), Optional.of(reminder.name()));
            case Reminder.Action.Escalate escalate -> {
                switch (deciding.render(escalate.assignees())) {
                    case Rendering.Failed failed -> failed(deciding, id, reminder, Dispatching.templateError(failed));
                    case Rendering.Rendered rendered ->
                        escalate(
                                deciding,
                                node,
                                task,
                                reminder,
                                escalate.replace(),
                                Assignees.of(
                                        rendered.value(),
                                        deciding.bounds().humans().assignees()));
                }
            }
        }
    }

    private static void escalate(
            Deciding deciding,
            Node.HumanTask node,
            HumanTaskState task,
            Reminder reminder,
            boolean replace,
            Assignees found) {
        ActivationId id = task.activation();
        if (found.error().isPresent()) {
            failed(deciding, id, reminder, found.error().get());
            return;
        }
        Set<Party> leaving = new HashSet<>();
        if (replace) {
            task.undecided().forEach(assignee -> leaving.add(assignee.party()));
        }
        List<Party> parties = found.parties().stream()
                .filter(party -> (!task.asks(party) || leaving.contains(party)) && !Voters.hasSpoken(node, task, party))
                .toList();
        int most = deciding.bounds().humans().assignees();
        int asked = task.assignees().size() - leaving.size() + parties.size();
        if (replace && parties.isEmpty()) {
            failed(deciding, id, reminder, TaskError.of("NO_ASSIGNEE", "nobody else is left to be asked"));
        } else if (asked > most
                || !deciding.offer(new HumanEvent.TaskEscalated(id, parties, reminder.name(), replace))) {
            failed(deciding, id, reminder, TaskError.of("TOO_MANY_ASSIGNEES", "at most " + most + " are asked"));
        } else {
            releaseIfReplaced(deciding, id);
            Settling.judge(deciding, node, id);
        }
    }

    private static void failed(Deciding deciding, ActivationId id, Reminder reminder, TaskError error) {
        deciding.emit(new HumanEvent.ReminderFailed(id, error, reminder.name()));
    }
}
