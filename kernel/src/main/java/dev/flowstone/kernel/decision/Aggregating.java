package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.aggregate.AggregateState;
import dev.flowstone.kernel.aggregate.Aggregates;
import dev.flowstone.kernel.aggregate.ChannelState;
import dev.flowstone.kernel.aggregate.LinkState;
import dev.flowstone.kernel.aggregate.SemaphoreState;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.Stamp;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.MessageEvent.MessageReceived;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.message.Message;
import dev.flowstone.kernel.state.TimerState;
import java.util.Optional;

/** Decides commands of aggregates: messages, signals from outside, timers (R20). Their first one begins them. */
final class Aggregating {
    private Aggregating() {}

    static Decision decide(Env env, AggregateState state, Stamp stamp, Command command) {
        TenantId tenant;
        RunId id;
        switch (command) {
            case Command.Deliver deliver -> {
                tenant = deliver.tenant();
                id = deliver.receiver();
            }
            case Command.SendSignal send -> {
                tenant = send.tenant();
                id = send.channel();
            }
            default -> {
                if (state.lastSequence() == 0) {
                    return new Decision.Rejected(RejectionCode.NOT_STARTED, "there is no such aggregate yet");
                }
                tenant = state.tenant();
                id = state.run();
            }
        }
        if (state.lastSequence() > 0 && !(id.equals(state.run()) && tenant.equals(state.tenant()))) {
            return invalid("this is " + state.run() + ", not " + id);
        }
        if (!Aggregates.isAggregate(id)) {
            return invalid(id + " is no aggregate's name");
        }
        try {
            return switch (state) {
                case ChannelState channel -> channel(env, channel, stamp, command, tenant, id);
                case SemaphoreState semaphore -> semaphore(env, semaphore, stamp, command, tenant, id);
                case LinkState link -> link(env, link, stamp, command, tenant, id);
            };
        } catch (IllegalArgumentException e) {
            return invalid("the command holds text that is not Unicode");
        }
    }

    private static Decision channel(
            Env env, ChannelState state, Stamp stamp, Command command, TenantId tenant, RunId id) {
        AggregateDeciding<ChannelState> deciding = new AggregateDeciding<>(env.bounds(), stamp, state, tenant, id);
        if (deciding.headerBytes() > env.bounds().eventBytes()) {
            return tooLong();
        }
        if (command instanceof Command.SendSignal send) {
            return ChannelRules.send(deciding, send).<Decision>map(it -> it).orElseGet(deciding::accepted);
        }
        return common(deciding, command, deliver -> ChannelRules.deliver(deciding, deliver), timer -> {});
    }

    private static Decision semaphore(
            Env env, SemaphoreState state, Stamp stamp, Command command, TenantId tenant, RunId id) {
        AggregateDeciding<SemaphoreState> deciding = new AggregateDeciding<>(env.bounds(), stamp, state, tenant, id);
        if (deciding.headerBytes() > env.bounds().eventBytes()) {
            return tooLong();
        }
        return common(
                deciding,
                command,
                deliver -> SemaphoreRules.deliver(deciding, deliver),
                timer -> SemaphoreRules.expired(deciding, timer));
    }

    private static Decision link(Env env, LinkState state, Stamp stamp, Command command, TenantId tenant, RunId id) {
        AggregateDeciding<LinkState> deciding = new AggregateDeciding<>(env.bounds(), stamp, state, tenant, id);
        if (deciding.headerBytes() > env.bounds().eventBytes()) {
            return tooLong();
        }
        return common(deciding, command, deliver -> LinkRules.deliver(deciding, deliver), timer -> {});
    }

    /** What all aggregates do alike. */
    private static <S extends AggregateState> Decision common(
            AggregateDeciding<S> deciding,
            Command command,
            java.util.function.Consumer<Command.Deliver> deliver,
            java.util.function.Consumer<TimerState> fired) {
        return switch (command) {
            case Command.Deliver message -> {
                Optional<Aggregates.Kind> receiver = Aggregates.receiver(message.message());
                if (!receiver.equals(Optional.of(deciding.state().kind()))) {
                    yield invalid("a " + kind(message.message()) + " is nothing for this aggregate");
                }
                if (message.number() > deciding.state().heard().last(message.sender())) {
                    deciding.emit(new MessageReceived(message.sender(), message.number()));
                    deliver.accept(message);
                }
                yield deciding.accepted();
            }
            case Command.FireTimer fire -> {
                TimerState timer = deciding.state().timer(fire.timer());
                if (timer == null) {
                    yield new Decision.Rejected(RejectionCode.NOT_FOUND, "no timer " + fire.timer() + " is set");
                }
                if (timer.generation() != fire.generation()) {
                    yield new Decision.Rejected(
                            RejectionCode.INVALID_STATE,
                            "timer " + fire.timer() + " is set in generation " + timer.generation());
                }
                deciding.emit(new EventBody.TimerFired(fire.timer(), fire.generation()));
                fired.accept(timer);
                if (deciding.state() instanceof ChannelState) {
                    tend(deciding);
                }
                yield deciding.accepted();
            }
            case Command.ContinueRun _ -> deciding.accepted();
            default ->
                new Decision.Rejected(
                        RejectionCode.INVALID_STATE,
                        "an aggregate knows no " + command.getClass().getSimpleName());
        };
    }

    @SuppressWarnings("unchecked")
    private static void tend(AggregateDeciding<?> deciding) {
        ChannelRules.tend((AggregateDeciding<ChannelState>) deciding);
    }

    private static String kind(Message message) {
        return message.getClass().getSimpleName();
    }

    private static Decision tooLong() {
        return new Decision.Rejected(RejectionCode.LIMIT_EXCEEDED, "the envelope is longer than an event may be");
    }

    private static Decision invalid(String reason) {
        return new Decision.Rejected(RejectionCode.INVALID_COMMAND, reason);
    }
}
