package dev.flowstone.kernel.command;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.message.Message;
import dev.flowstone.kernel.payload.Payload;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What may be asked of a run. */
public sealed interface Command
        permits Command.StartRun,
                Command.CompleteTask,
                Command.HandOutTask,
                Command.LinkResources,
                Command.FireTimer,
                Command.ContinueRun,
                Command.Deliver,
                Command.SendSignal,
                HumanCommand,
                DataCommand,
                ControlCommand {
    /**
     * Begins a run; its first command, ever.
     *
     * @param version of the workflow; 0 for a draft's program, which was never published
     * @param program hash of the program that the run will follow
     * @param requestId the caller's name for this start, if there was one
     * @param input values by root name: {@code trigger}, {@code spec}; {@code context}, {@code vars} and {@code variables}
     *     are refused
     * @param requested what else the caller said
     * @param subject what the run is about
     */
    record StartRun(
            TenantId tenant,
            RunId run,
            int version,
            Sha256 program,
            Optional<String> requestId,
            Map<String, Payload> input,
            Requested requested,
            Optional<SubjectBinding> subject)
            implements Command {
        /** One that is about nothing in particular. */
        public StartRun(
                TenantId tenant,
                RunId run,
                int version,
                Sha256 program,
                Optional<String> requestId,
                Map<String, Payload> input,
                Requested requested) {
            this(tenant, run, version, program, requestId, input, requested, Optional.empty());
        }

        public StartRun(
                TenantId tenant,
                RunId run,
                int version,
                Sha256 program,
                Optional<String> requestId,
                Map<String, Payload> input) {
            this(tenant, run, version, program, requestId, input, Requested.NOTHING);
        }

        public StartRun {
            requireNonNull(tenant);
            requireNonNull(run);
            requireNonNull(program);
            requireNonNull(requestId);
            input = Map.copyOf(input);
            requireNonNull(requested);
            requireNonNull(subject);
        }
    }

    /**
     * An attempt of a task has ended (R11, R12).
     *
     * @param subjectVersion that the attempt gave the run's subject, in the transaction that recorded this answer (R17)
     */
    record CompleteTask(ActivationId activation, int attempt, TaskAnswer answer, Optional<Long> subjectVersion)
            implements Command {
        public CompleteTask(ActivationId activation, int attempt, TaskAnswer answer) {
            this(activation, attempt, answer, Optional.empty());
        }

        public CompleteTask {
            requireNonNull(activation);
            requireNonNull(answer);
            requireNonNull(subjectVersion);
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

    /**
     * An attempt that is under way names what it is about to make outside, or has made (R20). Its answer may name more.
     *
     * @param links one at least
     */
    record LinkResources(ActivationId activation, int attempt, List<ResourceLink> links) implements Command {
        public LinkResources {
            requireNonNull(activation);
            links = List.copyOf(links);
            if (links.isEmpty() || links.size() > ResourceLink.MOST) {
                throw new IllegalArgumentException("1 to " + ResourceLink.MOST + " links are named at once");
            }
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
     * sender was decided before and changes nothing. An aggregate, and a run that is to be a child, begin by it.
     *
     * @param number of the sender's event that caused it
     */
    record Deliver(TenantId tenant, RunId receiver, RunId sender, long number, Message message) implements Command {
        public Deliver {
            requireNonNull(tenant);
            requireNonNull(receiver);
            requireNonNull(sender);
            requireNonNull(message);
        }
    }

    /**
     * A signal from outside, decided by its channel (R20).
     *
     * @param channel the aggregate of that type and key
     * @param dedupe a repetition under this name is accepted and dropped
     * @param timeToLive how long it is kept if nobody waits for it
     */
    record SendSignal(
            TenantId tenant,
            RunId channel,
            String type,
            String key,
            Payload payload,
            Optional<String> dedupe,
            boolean broadcast,
            Duration timeToLive)
            implements Command {
        public SendSignal {
            requireNonNull(tenant);
            requireNonNull(channel);
            requireNonNull(type);
            requireNonNull(key);
            requireNonNull(payload);
            requireNonNull(dedupe);
            requireNonNull(timeToLive);
        }
    }
}
