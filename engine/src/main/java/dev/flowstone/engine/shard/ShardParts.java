package dev.flowstone.engine.shard;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.Journal;
import dev.flowstone.engine.program.Programs;
import dev.flowstone.engine.task.TaskDispatcher;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.kernel.decision.Env;
import java.util.function.Consumer;

/**
 * What every shard of a node uses.
 *
 * @param results takes a handler's result to whichever loop owns its run by then
 */
public record ShardParts(
        ShardConfig config,
        Journal journal,
        Programs programs,
        TaskDispatcher dispatcher,
        Env env,
        DecisionRule rule,
        Clock clock,
        MoveListener listener,
        Observer observer,
        Consumer<CommandWork> results) {
    public ShardParts {
        requireNonNull(config);
        requireNonNull(journal);
        requireNonNull(programs);
        requireNonNull(dispatcher);
        requireNonNull(env);
        requireNonNull(rule);
        requireNonNull(clock);
        requireNonNull(listener);
        requireNonNull(observer);
        requireNonNull(results);
    }
}
