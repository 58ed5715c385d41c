package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.aggregate.SemaphoreState;
import dev.flowstone.kernel.aggregate.SemaphoreState.Grant;
import dev.flowstone.kernel.aggregate.SemaphoreState.Request;
import dev.flowstone.kernel.aggregate.Waiter;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.event.AggregateEvent.LeaseExpired;
import dev.flowstone.kernel.event.AggregateEvent.PermitGranted;
import dev.flowstone.kernel.event.AggregateEvent.PermitReleased;
import dev.flowstone.kernel.event.AggregateEvent.PermitRequestWithdrawn;
import dev.flowstone.kernel.event.AggregateEvent.PermitRequested;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.Times;
import dev.flowstone.kernel.message.Message;
import dev.flowstone.kernel.state.TimerState;
import java.time.Instant;
import java.util.Optional;

/**
 * Permits go to whoever waits longest, and only as many as there are (I6); nobody overtakes. A lease that runs out takes
 * them back and raises the fence, so that what a late holder still does can be told from what its successor does (R20).
 */
final class SemaphoreRules {
    private SemaphoreRules() {}

    static void deliver(AggregateDeciding<SemaphoreState> deciding, Command.Deliver deliver) {
        switch (deliver.message()) {
            case Message.Acquire message ->
                acquire(deciding, new Waiter(deliver.sender(), message.activation()), message);
            case Message.Release message -> release(deciding, new Waiter(deliver.sender(), message.activation()));
            default -> throw new IllegalStateException("not for a semaphore: " + deliver.message());
        }
        grant(deciding);
    }

    private static void acquire(AggregateDeciding<SemaphoreState> deciding, Waiter waiter, Message.Acquire message) {
        if (deciding.state().isWaiting(waiter) || deciding.state().grant(waiter) != null) {
            return;
        }
        deciding.emit(new PermitRequested(
                waiter.run(),
                waiter.activation(),
                message.semaphore(),
                message.limit(),
                message.permits(),
                message.lease()));
    }

    private static void release(AggregateDeciding<SemaphoreState> deciding, Waiter waiter) {
        Grant grant = deciding.state().grant(waiter);
        if (grant != null) {
            TimerState timer = deciding.state().timer(grant.timer());
            if (timer != null) {
                deciding.emit(new EventBody.TimerCanceled(timer.timer(), timer.generation()));
            }
            deciding.emit(new PermitReleased(waiter.run(), waiter.activation()));
        } else if (deciding.state().isWaiting(waiter)) {
            deciding.emit(new PermitRequestWithdrawn(waiter.run(), waiter.activation()));
        }
    }

    static void expired(AggregateDeciding<SemaphoreState> deciding, TimerState timer) {
        Grant grant = deciding.state().grant(timer.timer());
        if (grant == null) {
            return;
        }
        Waiter holder = grant.waiter();
        deciding.emit(new LeaseExpired(
                holder.run(), holder.activation(), deciding.state().fence() + 1));
        deciding.send(
                holder.run(),
                new Message.PermitExpired(holder.activation(), deciding.state().fence()));
        grant(deciding);
    }

    /**
     * Serves the line. A limit that was lowered under what the first one wants is no reason to let it wait for ever: it
     * gets all there are, alone.
     */
    private static void grant(AggregateDeciding<SemaphoreState> deciding) {
        while (true) {
            SemaphoreState state = deciding.state();
            Request next = state.firstWaiting();
            if (next == null) {
                return;
            }
            int permits = Math.min(next.permits(), state.limit());
            if (permits < 1 || (long) state.used() + permits > state.limit()) {
                return;
            }
            long fence = state.fence() + 1;
            Instant expires = Timers.due(deciding.now(), next.lease()).orElse(Times.LAST);
            Waiter waiter = next.waiter();
            deciding.emit(new EventBody.TimerSet(
                    SemaphoreState.lease(fence), 1, expires, EventBody.TimerPurpose.EXPIRY, Optional.empty()));
            deciding.emit(new PermitGranted(waiter.run(), waiter.activation(), permits, fence, expires));
            deciding.send(waiter.run(), new Message.Granted(waiter.activation(), permits, fence, expires));
        }
    }
}
