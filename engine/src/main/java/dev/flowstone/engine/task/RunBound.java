package dev.flowstone.engine.task;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.state.RunState;
import java.util.Optional;
import java.util.OptionalInt;

/**
 * How many attempts of one run go on at once.
 *
 * @param most at least 1
 */
public record RunBound(RunKey run, int most) {
    public RunBound {
        requireNonNull(run);
        if (most < 1) {
            throw new IllegalArgumentException("a run has at least 1 attempt at once, not " + most);
        }
    }

    /** What a run's program says in its metadata, {@code settings.maxParallelActions}; empty if it says nothing. */
    static Optional<RunBound> of(RunState state) {
        OptionalInt most = of(state.program());
        return most.isPresent()
                ? Optional.of(new RunBound(new RunKey(state.tenant(), state.run()), most.getAsInt()))
                : Optional.empty();
    }

    private static OptionalInt of(Program program) {
        return program.metadata().find(Program.SETTINGS).orElse(JsonObject.EMPTY) instanceof JsonObject settings
                        && settings.find(Program.MOST_ACTIONS).orElse(JsonObject.EMPTY) instanceof JsonNumber most
                        && most.isLong()
                ? OptionalInt.of(Math.clamp(most.longValue(), 1, Integer.MAX_VALUE))
                : OptionalInt.empty();
    }
}
