package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.program.Place;
import dev.flowstone.kernel.state.Activation;
import dev.flowstone.kernel.state.Draft;
import dev.flowstone.kernel.state.Ending;
import dev.flowstone.kernel.state.ScopeInstance;
import dev.flowstone.kernel.state.WorkItem;
import org.jspecify.annotations.Nullable;

/** Works off the list, oldest first, until it is empty or one of the decision's bounds is reached (R3, R4). */
final class Advance {
    private final Deciding deciding;
    private final Draft state;

    Advance(Deciding deciding) {
        this.deciding = deciding;
        this.state = deciding.state();
    }

    void run() {
        do {
            while (!deciding.spent() && step()) {
                deciding.work(1);
            }
            if (state.hasWork()) {
                deciding.emit(new EventBody.ContinueScheduled());
                return;
            }
        } while (Finish.goesOn(deciding));
        Draining.ifQuiet(deciding);
    }

    private boolean step() {
        if (state.ending() != Ending.NONE) {
            if (state.head() instanceof WorkItem.Exit exit && exit.fork() != null) {
                // The fork is left no more: first of all that is dropped, so that it ends, and settles, like any other
                // node.
                drop(exit);
                return true;
            }
            ActivationId live = state.tree().firstLive();
            if (live != null) {
                Cancel.activation(deciding, live, reason());
                return true;
            }
            if (state.ending() == Ending.KILLED && Stopping.abandons(deciding)) {
                return true;
            }
        }
        if (Drifting.step(deciding)) {
            return true;
        }
        WorkItem head = state.head();
        if (head == null) {
            if (state.hasInput()) {
                // Only now: what an input causes is done before the next one is decided.
                Holding.applyNext(deciding);
                return true;
            }
            return false;
        }
        deciding.within(head.scope());
        switch (head) {
            case WorkItem.Enter enter when state.ending() != Ending.NONE -> skip(enter.scope(), enter.node());
            case WorkItem.Enter enter -> Opening.enter(deciding, enter);
            case WorkItem.Skip skip -> skip(skip.scope(), skip.node());
            case WorkItem.Route route -> route(route);
            case WorkItem.Exit exit when state.ending() != Ending.NONE -> drop(exit);
            case WorkItem.Exit exit -> Leaving.step(deciding, exit);
            case WorkItem.Settle settle -> Judging.settled(deciding, settle);
            case WorkItem.Undo undo -> Compensating.next(deciding, undo);
            case WorkItem.Release _ -> Draining.release(deciding, state);
            case WorkItem.Fan fan when state.ending() == Ending.NONE -> Forking.step(deciding, fan);
            case WorkItem.Fan fan ->
                discard(fan.scope(), state.topology().place(fan.fork().node()));
            case WorkItem.Fire fire when state.ending() == Ending.NONE -> Joining.step(deciding, fire);
            case WorkItem.Fire fire ->
                discard(fire.scope(), state.topology().place(fire.fork().node()));
        }
        return true;
    }

    private String reason() {
        return switch (state.ending()) {
            case FAILING -> "RUN_FAILING";
            case NONE, TERMINATING, KILLED -> "RUN_TERMINATED";
            case CANCELING -> "RUN_CANCELED";
            case ROLLING_BACK -> "ROLLED_BACK";
        };
    }

    private void route(WorkItem.Route route) {
        Activation activation = state.activation(route.activation());
        if (activation == null) {
            throw new IllegalStateException("routing of an unknown activation " + route.activation());
        }
        new RoutingStep(deciding, activation).run();
    }

    /** Every node of a settling scope settles (I11); elsewhere a token just ends. */
    private void skip(int number, int node) {
        Place place = state.topology().place(node);
        ScopeInstance scope = state.tree().scope(number);
        if (place.settling() && isIn(place, scope)) {
            int visit = state.node(place).visits() + 1;
            deciding.emit(new EventBody.ActivationSkipped(
                    new ActivationId(place.node().id(), visit)));
        } else {
            discard(number, place);
        }
    }

    private static boolean isIn(Place place, @Nullable ScopeInstance scope) {
        return scope != null && scope.scope().id().equals(place.scope().id());
    }

    private void drop(WorkItem.Exit exit) {
        discard(
                exit.scope(),
                state.topology().place(state.program().edge(exit.edge()).to()));
    }

    private void discard(int number, Place target) {
        ScopeInstance scope = state.tree().scope(number);
        deciding.emit(new EventBody.TokenDiscarded(
                scope == null ? state.program().root().id() : scope.scope().id(),
                number,
                target.node().id()));
    }
}
