package dev.flowstone.kernel.command;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.message.Message;
import dev.flowstone.kernel.payload.Payload;
import java.util.Map;
import java.util.Optional;

/** What may be asked of a run. */
public sealed interface Command
        permits Command.StartRun,
                Command.CompleteTask,
                Command.HandOutTask,
                Command.FireTimer,
                Command.ContinueRun,
                Command.Deliver,
                ControlCommand {
    /**
     * Begins a run; its first command, ever.
     *
     * @param version of the workflow; 0 for a program that was never published
     * @param program hash of the program that the run will follow
     * @param requestId the caller's name for this start, if there was one
     * @param input values by root name: {@code trigger}, {@code spec}; {@code context} and {@code vars} are refused
     */
    record StartRun(
            TenantId tenant,
            RunId run,
            int version,
            Sha256 program,
            Optional<String> requestId,
            Map<String, Payload> input)
            implements Command {
        public StartRun {
            requireNonNull(tenant);
            requireNonNull(run);
            requireNonNull(program);
            requireNonNull(requestId);
            input = Map.copyOf(input);
        }
    }

    /** An attempt of a task has ended (R11, R12). */
    record CompleteTask(ActivationId activation, int attempt, TaskAnswer answer) implements Command {
        public CompleteTask {
            requireNonNull(activation);
            requireNonNull(answer);
        }
    }

    /**
     * Hands an attempt out again that a node gave back, before anybody works on it: from then on it may be lost like any
     * other, so that a handler that kills its node uses it up (R11).
     */
    record HandOutTask(ActivationId activation, int attempt) implements Command {
        public HandOutTask {
            requireNonNull(activation);
        }
    }

    /** A timer is due (R19). A generation that isn't the timer's current one is void. */
    record FireTimer(TimerId timer, int generation) implements Command {
        public FireTimer {
            requireNonNull(timer);
        }
    }

    /** Goes on with the work list that a decision left behind at its bound (R4). */
    record ContinueRun() implements Command {}

    /**
     * A message of another run or of an aggregate (R21). One whose number isn't above the last that was heard of its
     * sender was decided before and changes nothing.
     *
     * @param number of the sender's event that caused it
     */
    record Deliver(RunId sender, long number, Message message) implements Command {
        public Deliver {
            requireNonNull(sender);
            requireNonNull(message);
        }
    }
}
