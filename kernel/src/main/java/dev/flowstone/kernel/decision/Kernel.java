package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.aggregate.AggregateState;
import dev.flowstone.kernel.aggregate.Aggregates;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.DataCommand;
import dev.flowstone.kernel.command.HumanCommand;
import dev.flowstone.kernel.command.Stamp;
import dev.flowstone.kernel.expression.MissingFactException;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Programs;
import dev.flowstone.kernel.state.Hold;
import dev.flowstone.kernel.state.PersistentRunState;
import dev.flowstone.kernel.state.RunState;
import java.util.Optional;
import java.util.Set;

/** The door to the kernel: pure, thread-safe, never blocks, never looks at a clock. */
public final class Kernel {
    private Kernel() {}

    /** The state before the first event of a run, or of an aggregate if the program is a built-in one. */
    public static RunState initial(Program program, Sha256 programHash) {
        return initial(Programs.NONE, program, programHash);
    }

    /**
     * The same, of a run that may change to another program.
     *
     * @param programs knows all that its events name; one that they don't name may stand in place of the first
     */
    public static RunState initial(Programs programs, Program program, Sha256 programHash) {
        AggregateState aggregate = Aggregates.initial(programHash);
        return aggregate != null ? aggregate : PersistentRunState.initial(programs, program, programHash);
    }

    /**
     * Reads a snapshot made by {@link RunState#toJson}.
     *
     * @throws IllegalArgumentException if it is none, or one of another program
     */
    public static RunState restore(Program program, Sha256 programHash, JsonObject snapshot) {
        return restore(Programs.NONE, program, programHash, snapshot);
    }

    /** The same, of a run that may change to another program. */
    public static RunState restore(Programs programs, Program program, Sha256 programHash, JsonObject snapshot) {
        Optional<Aggregates.Kind> kind = Aggregates.kind(programHash);
        if (kind.isPresent()) {
            return AggregateState.restore(kind.get(), snapshot);
        }
        return PersistentRunState.restore(programs, program, programHash, snapshot);
    }

    /**
     * A state as it is stored: its canonical form, and how much of its history that accounts for. Earlier releases read it
     * as they read their own.
     */
    public static JsonObject snapshot(RunState state) {
        return state instanceof PersistentRunState run ? run.snapshot() : state.toJson();
    }

    /**
     * Whether a stored state is all that its events fold to. One that an earlier release stored may lack what that release
     * didn't ask of its events, such as former names of nodes: only the events themselves have it.
     */
    public static boolean isWhole(Sha256 programHash, JsonObject snapshot) {
        return Aggregates.kind(programHash).isPresent() || PersistentRunState.isWhole(snapshot);
    }

    /**
     * Decides one command. Equal arguments give an equal decision, on every machine.
     *
     * @throws RuntimeException only for a bug; the state is then as it was
     */
    public static Decision decide(Env env, RunState state, Stamp stamp, Command command) {
        if (state instanceof AggregateState aggregate) {
            return Aggregating.decide(env, aggregate, stamp, command);
        }
        if (!(state instanceof PersistentRunState known)) {
            throw new IllegalArgumentException("a state that the kernel did not make: " + state.getClass());
        }
        try {
            return decide(env, known, stamp, command);
        } catch (MissingFactException e) {
            return new Decision.Needs(Set.of(e.fact()));
        } catch (MissingFactsException e) {
            return new Decision.Needs(e.facts());
        }
    }

    private static Decision decide(Env env, PersistentRunState state, Stamp stamp, Command command) {
        Optional<Decision.Rejected> refused = misplaced(state, command);
        if (refused.isPresent()) {
            return refused.get();
        }
        boolean begins = state.lastSequence() == 0;
        Optional<Decision.Rejected> unwanted = Heeding.refusal(env.birth(), command);
        if (begins && unwanted.isPresent()) {
            return unwanted.get();
        }
        Deciding deciding;
        try {
            deciding = begin(env, stamp, state, command);
        } catch (IllegalArgumentException e) {
            return new Decision.Rejected(RejectionCode.INVALID_COMMAND, "the envelope holds text that is not Unicode");
        }
        if (deciding.headerBytes() > env.bounds().eventBytes()) {
            return new Decision.Rejected(RejectionCode.LIMIT_EXCEEDED, "the envelope is longer than an event may be");
        }
        Optional<Decision.Rejected> rejected = Holding.catches(deciding.state(), command)
                ? Holding.keep(deciding, command)
                : answer(deciding, command);
        if (rejected.isPresent()) {
            return rejected.get();
        }
        if (begins) {
            env.birth().ifPresent(setting -> Heeding.born(deciding, setting));
        }
        boolean moves = !deciding.isEmpty() || (command instanceof Command.ContinueRun && state.continues());
        if (moves && !state.status().isFinal() && deciding.state().hold() != Hold.SUSPENDED) {
            new Advance(deciding).run();
        }
        return deciding.accepted();
    }

    private static Deciding begin(Env env, Stamp stamp, PersistentRunState state, Command command) {
        return switch (command) {
            case Command.StartRun start -> Deciding.start(env, stamp, state, start);
            case ControlCommand.StartFrom start -> Deciding.start(env, stamp, state, start);
            case Command.Deliver deliver when state.lastSequence() == 0 -> Deciding.child(env, stamp, state, deliver);
            default -> Deciding.resume(env, stamp, state);
        };
    }

    /** What the command does to a run that isn't suspended. Whoever refuses has emitted nothing. */
    static Optional<Decision.Rejected> answer(Deciding deciding, Command command) {
        return switch (command) {
            case Command.StartRun start -> StartRun.decide(deciding, start);
            case Command.CompleteTask complete -> CompleteTask.decide(deciding, complete);
            case Command.LinkResources link -> Linking.decide(deciding, link);
            case Command.HandOutTask handOut -> HandOutTask.decide(deciding, handOut);
            case Command.FireTimer fire -> FireTimer.decide(deciding, fire);
            case Command.ContinueRun _ -> Optional.empty();
            case Command.Deliver deliver -> Delivering.decide(deciding, deliver);
            case ControlCommand control -> Controlling.decide(deciding, control);
            case Command.SendSignal send ->
                Optional.of(new Decision.Rejected(
                        RejectionCode.INVALID_STATE, send.channel() + " is a run: signals are sent to a channel"));
            case HumanCommand human -> HumanDesk.decide(deciding, human);
            case DataCommand.SubjectChanged changed -> Drifting.decide(deciding, changed);
            case DataCommand.SetVariables set -> Assigning.decide(deciding, set);
        };
    }

    /** A start is a run's first command, and no other is. */
    private static Optional<Decision.Rejected> misplaced(PersistentRunState state, Command command) {
        boolean started = state.lastSequence() > 0;
        if (command instanceof Command.StartRun start) {
            return started
                    ? Optional.of(new Decision.Rejected(
                            RejectionCode.ALREADY_STARTED, "run " + state.run() + " has been started already"))
                    : StartRun.check(start, state.programHash());
        }
        if (command instanceof ControlCommand.StartFrom start) {
            return started
                    ? Optional.of(new Decision.Rejected(
                            RejectionCode.ALREADY_STARTED, "run " + state.run() + " has been started already"))
                    : Resetting.check(start, state);
        }
        if (command instanceof Command.Deliver deliver) {
            return Delivering.misplaced(state, deliver);
        }
        return started
                ? Optional.empty()
                : Optional.of(new Decision.Rejected(RejectionCode.NOT_STARTED, "there is no such run yet"));
    }
}
