package dev.flowstone.testkit.engine;

import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Retry;
import dev.flowstone.testkit.scenario.ProgramBuilder;
import java.time.Duration;

/** Programs of one or two tasks, for stories about what happens around them. */
final class SmallPrograms {
    /** The handler of {@link #one}, which the story brings. */
    static final String HANDLER = "test.handler";

    private SmallPrograms() {}

    static Program one(Retry retry, Duration timeout) {
        return ProgramBuilder.dag("one")
                .retry(retry)
                .timeout(timeout)
                .task("t", HANDLER)
                .edge("start", "t")
                .build();
    }

    /** So many in all, a second apart. */
    static Retry attempts(int attempts) {
        return new Retry(attempts, Duration.ofSeconds(1), 1, Duration.ofSeconds(1), false);
    }

    /** Two built-in actions in turn, with two attempts each. */
    static Program work() {
        return ProgramBuilder.dag("work")
                .retry(attempts(2))
                .task("a", "core.echo")
                .task("b", "core.echo")
                .edge("start", "a")
                .edge("a", "b")
                .build();
    }
}
