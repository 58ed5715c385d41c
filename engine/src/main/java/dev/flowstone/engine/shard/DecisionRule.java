package dev.flowstone.engine.shard;

import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.Stamp;
import dev.flowstone.kernel.decision.Decision;
import dev.flowstone.kernel.decision.Env;
import dev.flowstone.kernel.decision.Kernel;
import dev.flowstone.kernel.state.RunState;

/**
 * How a shard decides: by the kernel, always. It is a parameter so that a simulator can watch every decision, and so that a
 * test can spoil one and see who notices.
 */
@FunctionalInterface
public interface DecisionRule {
    /** The rule of every node that isn't being tested. */
    DecisionRule KERNEL = Kernel::decide;

    /** See {@link Kernel#decide}. */
    Decision decide(Env env, RunState state, Stamp stamp, Command command);
}
