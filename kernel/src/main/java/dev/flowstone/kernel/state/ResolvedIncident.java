package dev.flowstone.kernel.state;

import dev.flowstone.kernel.event.ControlEvent.IncidentResolved;
import dev.flowstone.kernel.event.ControlEvent.Resolution;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Place;

/** What was parked goes on, as a person has decided: by what was parked, whatever raised the incident. */
final class ResolvedIncident {
    private ResolvedIncident() {}

    static void apply(Draft draft, IncidentResolved body) {
        Incident incident = draft.incidents.get(body.sequence());
        if (incident == null) {
            return;
        }
        IncidentApplier.remove(draft, incident);
        draft.waits++;
        WorkItem parked = incident.parked();
        boolean drops = parked instanceof WorkItem.Enter && body.how() != Resolution.RETRIED;
        if (parked instanceof WorkItem.Route route) {
            route(draft, route, body);
        } else if (parked instanceof WorkItem.Settle && body.how() == Resolution.SKIPPED) {
            ScopeInstance scope = draft.tree.scopes.get(parked.scope());
            if (scope != null) {
                Scopes.put(draft, scope.outEntered(true));
            }
        }
        if (!drops && !reopens(draft, parked)) {
            Queue.push(draft, parked);
        }
        if (parked instanceof WorkItem.Settle) {
            IncidentApplier.settle(draft, parked.scope());
        } else {
            Scopes.alive(draft, parked.scope(), -1);
        }
    }

    /** A failed activation that is tried again waits for its result as before, and is routed when it has it. */
    private static boolean reopens(Draft draft, WorkItem parked) {
        if (!(parked instanceof WorkItem.Route route)) {
            return false;
        }
        Activation activation = draft.activation(route.activation());
        return activation != null && activation.isLive();
    }

    private static void route(Draft draft, WorkItem.Route route, IncidentResolved body) {
        Activation activation = draft.activation(route.activation());
        Place place = draft.topology.find(route.activation().node().value());
        if (activation == null || place == null) {
            return;
        }
        Outcome outcome = activation.outcome();
        boolean failed = outcome != null && outcome.isFailure();
        switch (body.how()) {
            case RETRIED -> {
                if (failed) {
                    Activations.put(draft, place, activation.reopened());
                    ScopeInstance scope = draft.tree.scopes.get(activation.scope());
                    if (scope != null) {
                        Scopes.put(draft, scope.entered(activation.id(), false));
                        draft.tree.live++;
                    }
                }
            }
            case SKIPPED -> {
                Activations.put(draft, place, activation.resulted(Outcome.SUCCESS, activation.answer()));
                body.value()
                        .ifPresent(output -> Activations.keepResult(draft, activation, place, Outcome.SUCCESS, output));
            }
            case FAILED -> {
                Activations.put(draft, place, activation.resulted(Outcome.FAILURE, activation.answer()));
                body.error()
                        .map(error -> Payload.of(TaskApplier.failure(place, error)))
                        .ifPresent(seen -> Activations.keepResult(draft, activation, place, Outcome.FAILURE, seen));
            }
        }
    }
}
