package dev.flowstone.architecture;

import com.tngtech.archunit.core.domain.JavaClass;
import java.util.List;
import java.util.Set;

/** The engine's classes that drive runs: what is simulated must be these, and nothing that looks like them. */
final class Drivers {
    private static final String ENGINE = "dev.flowstone.engine.";

    private static final Set<String> PACKAGES =
            Set.of(ENGINE + "shard", ENGINE + "task", ENGINE + "node", ENGINE + "ownership");

    /** By what they do: a shard's loop, its rounds, its timers; who gives tasks to handlers; who finds the shard of a call. */
    static final List<String> ALL = List.of(
            ENGINE + "shard.ShardLoop",
            ENGINE + "shard.ShardQueue",
            ENGINE + "shard.Intake",
            ENGINE + "shard.InboxReader",
            ENGINE + "shard.Rounds",
            ENGINE + "shard.Loader",
            ENGINE + "shard.Decider",
            ENGINE + "shard.FactReader",
            ENGINE + "shard.Moves",
            ENGINE + "shard.Committer",
            ENGINE + "shard.Settler",
            ENGINE + "shard.Recovery",
            ENGINE + "shard.Mail",
            ENGINE + "shard.ShardTimers",
            ENGINE + "shard.Tasks",
            ENGINE + "shard.WideHolds",
            ENGINE + "task.TaskDispatcher",
            ENGINE + "task.Lanes",
            ENGINE + "task.TaskRun",
            ENGINE + "task.RemoteTasks",
            ENGINE + "node.EngineNode",
            ENGINE + "node.Loops",
            ENGINE + "node.LetterPost",
            ENGINE + "node.Starts",
            ENGINE + "ownership.LeaseKeeper");

    private Drivers() {}

    static boolean areIn(String packageName) {
        return PACKAGES.contains(packageName);
    }

    /** The class in whose file it stands. */
    static JavaClass outermost(JavaClass type) {
        JavaClass outer = type.getBaseComponentType();
        while (outer.getEnclosingClass().isPresent()) {
            outer = outer.getEnclosingClass().get();
        }
        return outer;
    }
}
