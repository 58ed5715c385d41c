package dev.flowstone.engine.shard;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.control.SettingWatch;
import dev.flowstone.engine.dead.DeadLetterBox;
import dev.flowstone.engine.journal.Journal;
import dev.flowstone.engine.journal.Letter;
import dev.flowstone.engine.mend.Projections;
import dev.flowstone.engine.policy.PolicyStore;
import dev.flowstone.engine.program.Programs;
import dev.flowstone.engine.start.Quotas;
import dev.flowstone.engine.task.TaskDispatcher;
import dev.flowstone.engine.task.Transactions;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.engine.trace.Tracer;
import dev.flowstone.engine.workflow.WorkflowStore;
import dev.flowstone.kernel.decision.Env;
import java.util.function.BiConsumer;
import java.util.function.Consumer;

/**
 * What every shard of a node uses.
 *
 * @param dead where shards leave what they can't take up
 * @param results takes a handler's result to whichever loop owns its run by then
 * @param post takes a letter to whichever loop owns its receiver, on this node or another; never blocks; tells, on any
 *     thread, once the receiver has decided it, durably
 * @param publishSoon is told that messages have been committed to the outbox; it must not wait for anything
 */
public record ShardParts(
        ShardConfig config,
        Quotas quotas,
        Journal journal,
        Programs programs,
        WorkflowStore workflows,
        PolicyStore policies,
        Transactions transactions,
        SettingWatch settings,
        Projections projections,
        DeadLetterBox dead,
        TaskDispatcher dispatcher,
        Env env,
        DecisionRule rule,
        Clock clock,
        MoveListener listener,
        Observer observer,
        Tracer tracer,
        Consumer<CommandWork> results,
        BiConsumer<Letter, Runnable> post,
        Runnable publishSoon) {
    public ShardParts {
        requireNonNull(config);
        requireNonNull(quotas);
        requireNonNull(journal);
        requireNonNull(programs);
        requireNonNull(workflows);
        requireNonNull(policies);
        requireNonNull(transactions);
        requireNonNull(settings);
        requireNonNull(projections);
        requireNonNull(dead);
        requireNonNull(dispatcher);
        requireNonNull(env);
        requireNonNull(rule);
        requireNonNull(clock);
        requireNonNull(listener);
        requireNonNull(observer);
        requireNonNull(tracer);
        requireNonNull(results);
        requireNonNull(post);
        requireNonNull(publishSoon);
    }
}
