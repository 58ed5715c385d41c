package dev.flowstone.testkit.simulation.action;

import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.testkit.simulation.world.Dice;

/** What other processes answer. */
final class Answers {
    private static final int LARGE = 300;

    private Answers() {}

    static TaskResult any(Dice dice) {
        return switch (dice.below(6)) {
            case 0 -> TaskResult.retryable("REMOTE", "not yet");
            case 1 -> TaskResult.permanent("REMOTE", "no");
            case 2 -> new TaskResult.Skipped("nothing to do");
            case 3 -> TaskResult.ok(JsonNumber.of(7));
            case 4 ->
                TaskResult.ok(JsonObject.builder().put("pad", "z".repeat(LARGE)).build());
            default ->
                TaskResult.ok(JsonObject.builder().put("n", dice.below(3)).build());
        };
    }
}
