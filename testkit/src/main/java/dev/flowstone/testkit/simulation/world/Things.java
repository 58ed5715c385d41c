package dev.flowstone.testkit.simulation.world;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.task.LinkLookup;
import dev.flowstone.engine.task.TaskCall;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.aggregate.Aggregates;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import java.util.Optional;

/** What some tasks make outside, a few things that there are once: a task looks whether another has made it, and links it. */
public final class Things {
    /** Of all of them. */
    public static final String TYPE = "thing";

    private static final int FEW = 4;

    /** How many of a hundred tasks make one, and link one that they have found. */
    private static final int MAKING = 20;

    private static final int ALL_THE_SAME = 60;

    private final World world;

    Things(World world) {
        this.world = world;
    }

    /**
     * The result of a task, with what it has made or found.
     *
     * @throws JournalException if the database can't be read just now
     */
    TaskResult made(SimulatedNode node, TaskCall call, Dice dice, TaskResult result) throws JournalException {
        if (!(result instanceof TaskResult.Ok ok) || !dice.percent(MAKING)) {
            return result;
        }
        String key = key(dice);
        node.strikes().read();
        Optional<LinkLookup.Found> found = call.links().find(TYPE, key);
        world.ledger()
                .add(new Ledger.Lookup(
                        Aggregates.link(call.tenant(), TYPE, key), found, node.name() + " for " + call.activation()));
        if (found.isPresent() && !dice.percent(ALL_THE_SAME)) {
            return result;
        }
        return linked(ok, dice, key);
    }

    /** The name of one. */
    public static String key(Dice dice) {
        return "t" + dice.below(FEW);
    }

    /** The result of one that makes something without looking. */
    static TaskResult linked(TaskResult.Ok ok, Dice dice) {
        return linked(ok, dice, key(dice));
    }

    /** What others need to know of it; now and then the same twice. */
    private static TaskResult linked(TaskResult.Ok ok, Dice dice, String key) {
        TaskResult.Link link = new TaskResult.Link(
                TYPE,
                key,
                JsonObject.builder()
                        .put("number", JsonNumber.of(dice.below(100)))
                        .put("by", new JsonString("somebody"))
                        .build());
        return dice.percent(10) ? TaskResult.ok(ok.output(), link, link) : TaskResult.ok(ok.output(), link);
    }
}
