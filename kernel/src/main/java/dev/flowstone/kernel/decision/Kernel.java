package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.Stamp;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.state.RunState;

/** The door to the kernel: pure, thread-safe, never blocks, never looks at a clock. */
@SuppressWarnings("DoNotCallSuggester")
public final class Kernel {
    private Kernel() {}

    /** The state before a run's first event. */
    public static RunState initial(Program program, Sha256 programHash) {
        throw new IllegalStateException("not built yet" + program + programHash);
    }

    /** Reads a snapshot made by {@link RunState#toJson}. */
    public static RunState restore(Program program, Sha256 programHash, JsonObject snapshot) {
        throw new IllegalStateException("not built yet" + program + programHash + snapshot);
    }

    /**
     * Decides one command. Equal arguments give an equal decision, on every machine.
     *
     * @throws RuntimeException only for a bug; the state is then as it was
     */
    public static Decision decide(Env env, RunState state, Stamp stamp, Command command) {
        throw new IllegalStateException("not built yet" + env + state + stamp + command);
    }
}
