package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.aggregate.Aggregates;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.event.MessageEvent.ChildBegun;
import dev.flowstone.kernel.event.MessageEvent.ChildEnded;
import dev.flowstone.kernel.event.MessageEvent.MessageReceived;
import dev.flowstone.kernel.event.MessageEvent.PermitAcquired;
import dev.flowstone.kernel.event.MessageEvent.PermitLost;
import dev.flowstone.kernel.event.MessageEvent.SignalAccepted;
import dev.flowstone.kernel.event.MessageEvent.SignalHandedBack;
import dev.flowstone.kernel.event.Times;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.message.Message;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.state.Activation;
import dev.flowstone.kernel.state.ChildResult;
import dev.flowstone.kernel.state.Draft;
import dev.flowstone.kernel.state.Ending;
import dev.flowstone.kernel.state.HeldPermit;
import dev.flowstone.kernel.state.OpenAwait;
import dev.flowstone.kernel.state.OpenChild;
import dev.flowstone.kernel.state.PersistentRunState;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import org.jspecify.annotations.Nullable;

/**
 * A message of another run or of an aggregate (R21): its receipt first, then what it causes. One that was heard before
 * changes nothing. What comes for an activation that no longer waits goes back, also when the run is over.
 */
final class Delivering {
    private Delivering() {}

    /** Only a start may come before a run's first event. */
    static Optional<Decision.Rejected> misplaced(PersistentRunState state, Command.Deliver deliver) {
        if (Aggregates.receiver(deliver.message()).isPresent()) {
            return refused(
                    RejectionCode.INVALID_COMMAND,
                    "a " + deliver.message().getClass().getSimpleName() + " is for an aggregate, not for a run");
        }
        if (state.lastSequence() == 0) {
            return deliver.message() instanceof Message.StartChild child
                    ? StartRun.check(start(deliver, child), state.programHash())
                    : refused(RejectionCode.NOT_STARTED, "there is no such run yet");
        }
        boolean here =
                deliver.receiver().equals(state.run()) && deliver.tenant().equals(state.tenant());
        return here
                ? Optional.empty()
                : refused(RejectionCode.INVALID_COMMAND, "this is " + state.run() + ", not " + deliver.receiver());
    }

    private static Command.StartRun start(Command.Deliver deliver, Message.StartChild child) {
        return new Command.StartRun(
                deliver.tenant(),
                deliver.receiver(),
                child.version(),
                child.program(),
                Optional.empty(),
                child.input());
    }

    static Optional<Decision.Rejected> decide(Deciding deciding, Command.Deliver deliver) {
        Draft state = deciding.state();
        if (state.run().isEmpty()) {
            return deliver.message() instanceof Message.StartChild child
                    ? begin(deciding, deliver, child)
                    : refused(RejectionCode.NOT_STARTED, "there is no such run yet");
        }
        if (isKnown(state, deliver) || isPointless(state, deliver.message())) {
            return Optional.empty();
        }
        deciding.emit(new MessageReceived(deliver.sender(), deliver.number()));
        follow(deciding, deliver);
        return Optional.empty();
    }

    /** It came before. */
    static boolean isKnown(Draft state, Command.Deliver deliver) {
        return deliver.number() <= state.post().heard().last(deliver.sender());
    }

    /** What follows from a message, whose receipt was recorded when it came. */
    static void follow(Deciding deciding, Command.Deliver deliver) {
        RunId sender = deliver.sender();
        switch (deliver.message()) {
            case Message.SignalDelivered message -> signal(deciding, sender, message);
            case Message.Granted message -> granted(deciding, sender, message);
            case Message.PermitExpired message -> expired(deciding, sender, message);
            case Message.ChildSettled message -> settled(deciding, sender, message);
            case Message.Control message -> control(deciding, sender, message);
            // It concerns what a task did; nothing waits for it.
            case Message.Linked message -> Linking.settled(deciding, sender, message);
            case Message.StartChild _ -> {}
            case Message.Subscribe _,
                    Message.Unsubscribe _,
                    Message.Signal _,
                    Message.SignalReturned _,
                    Message.Acquire _,
                    Message.Release _,
                    Message.Link _ -> throw new IllegalStateException("refused before: " + deliver);
        }
    }

    /**
     * What a run that is over needs to know nothing of; a signal or a permit it must give back, and whose its resources are
     * it records.
     */
    private static boolean isPointless(Draft state, Message message) {
        return state.status().isFinal()
                && !(message instanceof Message.SignalDelivered signal && !signal.broadcast())
                && !(message instanceof Message.Granted)
                && !(message instanceof Message.Linked);
    }

    private static Optional<Decision.Rejected> begin(
            Deciding deciding, Command.Deliver deliver, Message.StartChild child) {
        Optional<Decision.Rejected> rejected = StartRun.decide(deciding, start(deliver, child));
        if (rejected.isEmpty()) {
            deciding.emit(new MessageReceived(deliver.sender(), deliver.number()));
            deciding.emit(new ChildBegun(
                    deliver.sender(),
                    child.activation(),
                    child.waits(),
                    child.root(),
                    child.depth(),
                    child.lineage(),
                    child.principal()));
        }
        return rejected;
    }

    private static void signal(Deciding deciding, RunId channel, Message.SignalDelivered message) {
        ActivationId id = message.activation();
        if (isAwaited(deciding.state(), id, channel)) {
            Timers.cancel(deciding, Timers.timeout(id));
            if (!deciding.offer(new SignalAccepted(id, channel, message.signal(), message.payload()))) {
                Dispatching.failed(deciding, id, 1, Awaiting.tooLarge(deciding.bounds()));
            }
            return;
        }
        Runaway.notAwaited(deciding);
        if (!message.broadcast()) {
            deciding.emit(new SignalHandedBack(id, channel, message.signal()));
            deciding.send(
                    channel, new Message.SignalReturned(id, message.signal(), message.payload(), message.expiresAt()));
        }
    }

    private static void granted(Deciding deciding, RunId semaphore, Message.Granted message) {
        ActivationId id = message.activation();
        if (isAwaited(deciding.state(), id, semaphore)) {
            Timers.cancel(deciding, Timers.timeout(id));
            deciding.emit(new PermitAcquired(
                    id, semaphore, message.permits(), message.fence(), Times.storable(message.expiresAt())));
        } else {
            Runaway.notAwaited(deciding);
            Permits.giveBack(deciding, id, semaphore);
        }
    }

    /** A run that is on its way to its end takes nothing any more. */
    private static boolean isAwaited(Draft state, ActivationId id, RunId from) {
        OpenAwait await = state.post().await(id);
        return await != null && await.from().equals(from) && state.ending() == Ending.NONE;
    }

    private static void expired(Deciding deciding, RunId semaphore, Message.PermitExpired message) {
        HeldPermit held = deciding.state().post().permit(message.activation());
        if (held != null && held.semaphore().equals(semaphore)) {
            deciding.emit(new PermitLost(message.activation(), semaphore, message.fence()));
        } else {
            Runaway.notAwaited(deciding);
        }
    }

    private static void settled(Deciding deciding, RunId sender, Message.ChildSettled message) {
        ActivationId id = message.activation();
        OpenChild child = deciding.state().post().child(id);
        if (child == null || !isFrom(child, sender)) {
            Runaway.notAwaited(deciding);
            return;
        }
        Timers.cancel(deciding, Timers.timeout(id));
        Optional<TaskError> error =
                message.error().map(reason -> new TaskError(reason.code(), reason.message(), reason.details()));
        Optional<Payload> kept = kept(deciding.state(), child, message);
        Optional<SortedMap<NodeId, Long>> pruned = kept.isPresent()
                ? ContextPruning.making(deciding, id, kept.get())
                : Optional.of(Collections.emptySortedMap());
        if (pruned.isEmpty()) {
            failed(
                    deciding,
                    id,
                    sender,
                    ContextBound.failure(deciding, kept.orElseThrow()).error());
        } else if (deciding.offer(new ChildEnded(id, sender, message.ended(), message.output(), error))) {
            ContextPruning.prune(deciding, pruned.get());
        } else {
            failed(
                    deciding,
                    id,
                    sender,
                    Answers.tooLarge(message.output(), deciding.bounds()).error());
        }
    }

    /** The result of its call, if its output becomes one: by then the call may be over, and its node gone. */
    private static Optional<Payload> kept(Draft state, OpenChild child, Message.ChildSettled message) {
        Activation call = state.activation(message.activation());
        boolean taken = call != null && call.isLive() && !child.overdue() && message.ended() == Message.Ended.SUCCEEDED;
        return taken
                ? Optional.of(ChildResult.kept(
                        state.program().node(message.activation().node()), message.output()))
                : Optional.empty();
    }

    /** What the child gave can't be taken. */
    private static void failed(Deciding deciding, ActivationId id, RunId child, TaskError error) {
        deciding.emit(new ChildEnded(id, child, Message.Ended.FAILED, Payload.of(JsonNull.NULL), Optional.of(error)));
    }

    private static boolean isFrom(@Nullable OpenChild child, RunId sender) {
        return child != null && child.run().equals(sender);
    }

    /** Only a parent controls its child, and only until it let go of it. */
    private static void control(Deciding deciding, RunId sender, Message.Control message) {
        boolean child = deciding.state()
                .post()
                .parentage()
                .filter(parentage -> parentage.parent().equals(sender) && !parentage.detached())
                .isPresent();
        if (child) {
            ChildControl.apply(deciding, sender, message);
        }
    }

    private static Optional<Decision.Rejected> refused(RejectionCode code, String reason) {
        return Optional.of(new Decision.Rejected(code, reason));
    }
}
