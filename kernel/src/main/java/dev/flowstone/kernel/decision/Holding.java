package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.DataCommand;
import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.kernel.command.HumanCommand;
import dev.flowstone.kernel.command.Stamp;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.MessageEvent.MessageReceived;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.message.Message;
import dev.flowstone.kernel.state.Draft;
import dev.flowstone.kernel.state.Hold;
import dev.flowstone.kernel.state.Suspension;
import dev.flowstone.kernel.state.TimerState;
import java.time.Duration;
import java.util.Optional;

/**
 * Input to a suspended run is recorded in its order and decided later (R25); so is what comes while older input of that
 * kind still waits for its turn. What operators do is never buffered.
 */
final class Holding {
    private Holding() {}

    /** Whether this command has to wait. */
    static boolean catches(Draft state, Command command) {
        boolean suspended = state.hold() == Hold.SUSPENDED;
        if (!suspended && state.control().buffer().isEmpty()) {
            return false;
        }
        return switch (command) {
            case ControlCommand _,
                    HumanCommand.Attest _,
                    Command.SendSignal _,
                    Command.StartRun _,
                    Command.ContinueRun _ -> false;
            // What a parent does is what an operator does.
            case Command.Deliver deliver -> !(deliver.message() instanceof Message.Control);
            // One that stands still, or was never set, is told so; nothing depends on the mark of those that are held.
            case Command.FireTimer fire ->
                state.timer(fire.timer()) != null && !fire.timer().equals(Timers.HOLD);
            case Command.CompleteTask _,
                    Command.HandOutTask _,
                    Command.LinkResources _,
                    HumanCommand _,
                    DataCommand _ -> true;
        };
    }

    static Optional<Decision.Rejected> keep(Deciding deciding, Command command) {
        Draft state = deciding.state();
        Suspension suspension = state.control().suspension();
        if (suspension != null && suspension.hold() == Hold.SUSPENDED && command instanceof Command.FireTimer fire) {
            return caughtUp(deciding, fire);
        }
        if (suspension != null
                && suspension.policy().input() == HoldPolicy.InputRule.REJECT
                && isFromCallers(command)) {
            return rejected(RejectionCode.SUSPENDED, "the run is suspended: " + suspension.reason());
        }
        // The engine, and other runs, say it once: nobody would say it again if it were refused.
        boolean once = command instanceof Command.Deliver
                || (deciding.actor().equals(Actor.ENGINE) && !isFromCallers(command));
        if (!once
                && state.control().buffer().size()
                        >= deciding.bounds().control().bufferedInputs()) {
            return rejected(
                    RejectionCode.SUSPENDED,
                    "the run is suspended and holds "
                            + deciding.bounds().control().bufferedInputs() + " inputs already, which is its bound");
        }
        if (command instanceof Command.Deliver deliver) {
            if (Delivering.isKnown(state, deliver)) {
                return Optional.empty();
            }
            // Its receipt, so that it is not heard twice while it waits.
            deciding.emit(new MessageReceived(deliver.sender(), deliver.number()));
            if (state.head() != null) {
                // The run goes on by itself: a loop that hears its own children only behind it is a runaway (R4).
                Runaway.notAwaited(deciding);
            }
        }
        if (command instanceof Command.FireTimer fire && isKept(state, fire)) {
            // Whoever reads the run anew finds the timer due again.
            deciding.buffered();
            return Optional.empty();
        }
        long number = state.control().inputs() + 1;
        JsonObject input = JsonObject.builder()
                .put("command", CommandCodec.write(bounded(deciding, command)))
                .put("stamp", CommandCodec.write(deciding.stamp()))
                .build();
        ControlEvent.InputBuffered kept = new ControlEvent.InputBuffered(number, input);
        if (once) {
            // Bounded by what its sender could record, or by what results may be.
            deciding.emit(kept);
        } else if (!deciding.offer(kept)) {
            return rejected(
                    RejectionCode.SUSPENDED, "the run is suspended, and the command is longer than an event may be");
        }
        deciding.buffered();
        return Optional.empty();
    }

    private static boolean isKept(Draft state, Command.FireTimer fire) {
        JsonObject command = CommandCodec.write(fire);
        return state.control().buffer().values().stream().anyMatch(input -> command.equals(input.get("command")));
    }

    /** Decides the oldest input as if it came now; that it is refused is an event, for nobody waits for the answer. */
    static void applyNext(Deciding deciding) {
        Draft state = deciding.state();
        long number = state.control().buffer().firstKey();
        JsonObject input = state.control().buffer().get(number);
        if (input == null) {
            throw new IllegalStateException("no buffered input " + number);
        }
        deciding.input();
        deciding.emit(new ControlEvent.BufferedInputTaken(number));
        JsonCursor at = JsonCursor.of(input);
        Command command = CommandCodec.read(at.member("command"));
        Stamp own = deciding.speakFor(CommandCodec.stamp(at.member("stamp")));
        Optional<Decision.Rejected> refused = Optional.empty();
        if (command instanceof Command.Deliver deliver) {
            Delivering.follow(deciding, deliver);
        } else {
            refused = Kernel.answer(deciding, command);
        }
        deciding.speakFor(own);
        refused.ifPresent(why -> deciding.emit(new ControlEvent.BufferedInputRefused(
                number, why.code().name(), Answers.text(why.reason(), Answers.MESSAGE))));
    }

    /** A timer that falls due meanwhile goes off when the run is resumed: its time is up, so it keeps none. */
    private static Optional<Decision.Rejected> caughtUp(Deciding deciding, Command.FireTimer fire) {
        TimerState timer = deciding.state().timer(fire.timer());
        if (timer == null || timer.generation() != fire.generation()) {
            return rejected(RejectionCode.INVALID_STATE, "timer " + fire.timer() + " is not set in this generation");
        }
        deciding.emit(new ControlEvent.TimerFrozen(timer.timer(), timer.generation(), Duration.ZERO));
        deciding.emit(new EventBody.TimerCanceled(timer.timer(), timer.generation()));
        deciding.buffered();
        return Optional.empty();
    }

    private static Command bounded(Deciding deciding, Command command) {
        return command instanceof Command.CompleteTask complete
                ? new Command.CompleteTask(
                        complete.activation(),
                        complete.attempt(),
                        Answers.bounded(complete.answer(), deciding.bounds()),
                        complete.subjectVersion())
                : command;
    }

    /** Not the answers of work that was handed out, nor what other runs say: refusing these would lose them. */
    private static boolean isFromCallers(Command command) {
        return switch (command) {
            case Command.CompleteTask _,
                    Command.HandOutTask _,
                    Command.LinkResources _,
                    Command.FireTimer _,
                    Command.ContinueRun _,
                    Command.Deliver _,
                    DataCommand.SubjectChanged _ -> false;
            case Command.StartRun _,
                    Command.SendSignal _,
                    ControlCommand _,
                    HumanCommand _,
                    DataCommand.SetVariables _ -> true;
        };
    }

    private static Optional<Decision.Rejected> rejected(RejectionCode code, String reason) {
        return Optional.of(new Decision.Rejected(code, reason));
    }
}
