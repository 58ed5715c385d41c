package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.aggregate.ChannelState;
import dev.flowstone.kernel.aggregate.ChannelState.KeptSignal;
import dev.flowstone.kernel.aggregate.Waiter;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.event.AggregateEvent.SignalExpired;
import dev.flowstone.kernel.event.AggregateEvent.SignalMatched;
import dev.flowstone.kernel.event.AggregateEvent.SignalReceived;
import dev.flowstone.kernel.event.AggregateEvent.SignalRefused;
import dev.flowstone.kernel.event.AggregateEvent.SignalTakenBack;
import dev.flowstone.kernel.event.AggregateEvent.SubscriptionClosed;
import dev.flowstone.kernel.event.AggregateEvent.SubscriptionOpened;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.Times;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.message.Message;
import dev.flowstone.kernel.message.Message.SignalDelivered;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.state.TimerState;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/**
 * A signal goes to one await, the one that waits longest; early ones wait in the order of their coming (R20). Whether one
 * has expired is judged when it would be delivered, not by a timer that may be late.
 */
final class ChannelRules {
    static final TimerId EXPIRY = new TimerId("expiry");

    private ChannelRules() {}

    static void deliver(AggregateDeciding<ChannelState> deciding, Command.Deliver deliver) {
        RunId sender = deliver.sender();
        switch (deliver.message()) {
            case Message.Subscribe message -> subscribe(deciding, new Waiter(sender, message.activation()), message);
            case Message.Unsubscribe message -> unsubscribe(deciding, new Waiter(sender, message.activation()));
            case Message.Signal message -> signal(deciding, message, Optional.of(sender));
            case Message.SignalReturned message ->
                takeBack(deciding, new Waiter(sender, message.activation()), message);
            default -> throw new IllegalStateException("not for a channel: " + deliver.message());
        }
        tend(deciding);
    }

    /** A signal from outside: who sends it learns what became of it. */
    static Optional<Decision.Rejected> send(AggregateDeciding<ChannelState> deciding, Command.SendSignal send) {
        Duration life = send.timeToLive();
        if (life.isNegative()) {
            return Optional.of(
                    new Decision.Rejected(RejectionCode.INVALID_COMMAND, "a signal's time to live is not negative"));
        }
        Instant expires = expiry(deciding, life);
        Message.Signal signal =
                new Message.Signal(send.type(), send.key(), send.payload(), send.dedupe(), send.broadcast(), expires);
        if (repeats(deciding, signal)) {
            return Optional.empty();
        }
        dropExpired(deciding);
        if (isFull(deciding, signal)) {
            return Optional.of(new Decision.Rejected(
                    RejectionCode.SIGNAL_BUFFER_FULL,
                    "the channel keeps " + deciding.state().kept() + " signals that nobody has waited for"));
        }
        if (!receive(deciding, signal, Optional.empty())) {
            return Optional.of(new Decision.Rejected(
                    RejectionCode.LIMIT_EXCEEDED,
                    "the signal is longer than an event may be ("
                            + deciding.bounds().eventBytes() + " bytes)"));
        }
        tend(deciding);
        return Optional.empty();
    }

    /** When a signal that is to live so long expires. */
    private static Instant expiry(AggregateDeciding<ChannelState> deciding, Duration life) {
        Duration longest = deciding.messages().signalLife();
        Duration bounded = life.compareTo(longest) > 0 ? longest : life;
        return Timers.due(deciding.now(), bounded).orElse(Times.LAST);
    }

    private static void subscribe(AggregateDeciding<ChannelState> deciding, Waiter waiter, Message.Subscribe message) {
        if (deciding.state().isWaiting(waiter)) {
            return;
        }
        deciding.emit(new SubscriptionOpened(waiter.run(), waiter.activation(), message.type(), message.key()));
        dropExpired(deciding);
        match(deciding);
    }

    private static void unsubscribe(AggregateDeciding<ChannelState> deciding, Waiter waiter) {
        if (deciding.state().isWaiting(waiter)) {
            deciding.emit(new SubscriptionClosed(waiter.run(), waiter.activation()));
        }
    }

    private static void signal(
            AggregateDeciding<ChannelState> deciding, Message.Signal signal, Optional<RunId> source) {
        if (repeats(deciding, signal)) {
            return;
        }
        dropExpired(deciding);
        if (isFull(deciding, signal)) {
            refuse(deciding, signal, source, RejectionCode.SIGNAL_BUFFER_FULL);
        } else if (!receive(deciding, signal, source)) {
            refuse(deciding, signal, source, RejectionCode.LIMIT_EXCEEDED);
        }
    }

    private static void refuse(
            AggregateDeciding<ChannelState> deciding,
            Message.Signal signal,
            Optional<RunId> source,
            RejectionCode code) {
        deciding.emit(new SignalRefused(signal.type(), signal.key(), signal.dedupe(), source, code.name()));
    }

    private static boolean repeats(AggregateDeciding<ChannelState> deciding, Message.Signal signal) {
        return signal.dedupe()
                .map(name -> deciding.state().knows(name, deciding.now()))
                .orElse(false);
    }

    /** Only a signal that has to be kept needs a place. */
    private static boolean isFull(AggregateDeciding<ChannelState> deciding, Message.Signal signal) {
        return !signal.broadcast()
                && deciding.state().firstWaiting() == null
                && deciding.state().kept() >= deciding.messages().signalBuffer();
    }

    private static boolean receive(
            AggregateDeciding<ChannelState> deciding, Message.Signal signal, Optional<RunId> source) {
        long number = deciding.state().nextSignal();
        Instant remembered =
                Timers.due(deciding.now(), deciding.messages().dedupeLife()).orElse(Times.LAST);
        Instant until = remembered.isBefore(signal.expiresAt()) ? signal.expiresAt() : remembered;
        SignalReceived received = new SignalReceived(
                number,
                signal.type(),
                signal.key(),
                signal.payload(),
                signal.dedupe(),
                until,
                signal.broadcast(),
                Times.storable(signal.expiresAt()),
                source);
        if (!deciding.offer(received)) {
            return false;
        }
        if (signal.broadcast()) {
            cast(deciding, number, signal.payload(), received.expiresAt());
        } else {
            match(deciding);
        }
        return true;
    }

    /** Once to each that waits now. */
    private static void cast(
            AggregateDeciding<ChannelState> deciding, long number, Payload payload, Instant expiresAt) {
        for (Waiter waiter : List.copyOf(deciding.state().waiting())) {
            deciding.emit(new SignalMatched(number, waiter.run(), waiter.activation()));
            deciding.send(waiter.run(), new SignalDelivered(waiter.activation(), number, payload, true, expiresAt));
        }
    }

    private static void takeBack(
            AggregateDeciding<ChannelState> deciding, Waiter waiter, Message.SignalReturned message) {
        deciding.emit(new SignalTakenBack(
                message.signal(),
                waiter.run(),
                waiter.activation(),
                message.payload(),
                Times.storable(message.expiresAt())));
        dropExpired(deciding);
        match(deciding);
    }

    /** Brings the oldest signal to whoever waits longest, until one of both is missing. */
    private static void match(AggregateDeciding<ChannelState> deciding) {
        while (true) {
            Waiter waiter = deciding.state().firstWaiting();
            KeptSignal signal = deciding.state().firstKept();
            if (waiter == null || signal == null) {
                return;
            }
            deciding.emit(new SignalMatched(signal.number(), waiter.run(), waiter.activation()));
            deciding.send(
                    waiter.run(),
                    new SignalDelivered(
                            waiter.activation(), signal.number(), signal.payload(), false, signal.expiresAt()));
        }
    }

    private static void dropExpired(AggregateDeciding<ChannelState> deciding) {
        while (true) {
            KeptSignal next = deciding.state().nextToExpire();
            if (next == null || next.expiresAt().isAfter(deciding.now())) {
                return;
            }
            deciding.emit(new SignalExpired(next.number()));
        }
    }

    /**
     * One timer for all that is kept, so that the channel doesn't hold what nobody will get. It may be early, never late:
     * when it fires, it is set for what expires next.
     */
    static void tend(AggregateDeciding<ChannelState> deciding) {
        dropExpired(deciding);
        KeptSignal next = deciding.state().nextToExpire();
        if (next == null) {
            return;
        }
        TimerState timer = deciding.state().timer(EXPIRY);
        if (timer == null || timer.dueAt().isAfter(next.expiresAt())) {
            // Higher than any before, also than that of one that fires in this very commit: otherwise it would be void.
            int generation = (int) Math.min(Integer.MAX_VALUE, deciding.state().lastSequence() + 1);
            deciding.emit(new EventBody.TimerSet(
                    EXPIRY, generation, next.expiresAt(), EventBody.TimerPurpose.EXPIRY, Optional.empty()));
        }
    }
}
