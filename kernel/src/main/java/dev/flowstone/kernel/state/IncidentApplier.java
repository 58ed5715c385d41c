package dev.flowstone.kernel.state;

import dev.flowstone.kernel.event.EventBody.IncidentRaised;
import dev.flowstone.kernel.event.ForkEvent;

/** What waits for a person: the work at the head of the list is parked, and keeps its scope alive. */
final class IncidentApplier {
    private IncidentApplier() {}

    static void raised(Draft draft, long sequence, IncidentRaised body) {
        WorkItem parked = draft.head();
        if (parked == null) {
            return;
        }
        Scopes.alive(draft, parked.scope(), 1);
        Queue.pop(draft);
        draft.incidents = draft.incidents.with(
                sequence, new Incident(sequence, body.code(), body.activation().orElse(null), body.message(), parked));
        draft.parked = draft.parked.with(parked.scope(), sequence);
    }

    /** The run ends: what was parked goes back to the work list, to be skipped. */
    static void release(Draft draft) {
        for (Incident incident : draft.incidents.values()) {
            Queue.push(draft, incident.parked());
            remove(draft, incident);
            int change = incident.parked() instanceof WorkItem.Settle ? 0 : -1;
            if (change == 0) {
                settle(draft, incident.parked().scope());
            } else {
                Scopes.alive(draft, incident.parked().scope(), change);
            }
        }
    }

    /** Its scope closes, and the parked work with it. */
    static void discarded(Draft draft, ForkEvent.IncidentDiscarded body) {
        Incident incident = draft.incidents.get(body.incident());
        if (incident == null) {
            return;
        }
        remove(draft, incident);
        ScopeApplier.dropped(draft, incident.parked());
        Scopes.alive(draft, body.number(), -1);
    }

    static void remove(Draft draft, Incident incident) {
        draft.incidents = draft.incidents.without(incident.sequence());
        draft.parked = draft.parked.without(incident.parked().scope(), incident.sequence());
    }

    /** Its judgement is on the list again already. */
    static void settle(Draft draft, int number) {
        ScopeInstance scope = draft.tree.scopes.get(number);
        if (scope != null) {
            Scopes.put(draft, scope.alive(-1));
        }
    }
}
