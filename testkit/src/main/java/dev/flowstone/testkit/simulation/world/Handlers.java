package dev.flowstone.testkit.simulation.world;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.task.ActionDescription;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.engine.task.SubjectTransaction;
import dev.flowstone.engine.task.TaskCall;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.json.JsonObject;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/**
 * What tasks do: enter the effect into the ledger, take a while, and end in every way there is. How an attempt ends depends
 * on the seed and on its name alone, so that a shortened history meets the same handlers.
 */
public final class Handlers {
    /** The action that simulated tasks name. */
    public static final HandlerName WORK = new HandlerName("sim.work");

    /** The action of those that change what their run is about. */
    public static final HandlerName MUTATE = new HandlerName("sim.mutate");

    /** The action that workers in other processes do. */
    public static final HandlerName OUTSIDE = new HandlerName("sim.outside");

    /** How many of a hundred leave their subject as it is. */
    private static final int KEEPING = 20;

    /** From this visit on a node's handler is slow and fails for good, so that cycles come to an end. */
    private static final int WEARY = 4;

    private static final int LARGE = 400;

    /** Stands for an exception. */
    private static final TaskResult THREW = TaskResult.retryable("THREW", "it threw");

    private final World world;
    private final Things things;

    Handlers(World world) {
        this.world = world;
        this.things = new Things(world);
    }

    HandlerRegistry registry(SimulatedNode node) {
        return HandlerRegistry.builder()
                .action(new ActionDescription(WORK, "simulated", List.of()), call -> handle(node, call))
                .transactional(
                        new ActionDescription(MUTATE, "simulated", List.of()),
                        (call, transaction) -> mutate(node, call, transaction))
                .remote(new ActionDescription(OUTSIDE, "simulated", List.of()))
                .build();
    }

    /**
     * What a worker outside makes of an attempt.
     *
     * @param takes how long it is at it
     */
    record Outside(TaskResult result, Duration takes) {}

    Outside outside(TaskCall call) {
        Dice dice = dice(call);
        TaskResult result = natural(call, dice);
        Duration takes = dice.percent(40) ? dice.millis(1_000, 20_000) : takes(dice);
        return new Outside(result, isWeary(call.activation()) ? Duration.ofSeconds(60) : takes);
    }

    private TaskResult handle(SimulatedNode node, TaskCall call) throws HandlerThrew, JournalException {
        Ledger.Effect effect = effect(node, call);
        world.ledger().add(effect);
        Dice dice = dice(call);
        return answer(node, effect, dice, things.made(node, call, dice, natural(call, dice)));
    }

    /** What it does to the subject has its effect when it is committed. */
    private TaskResult mutate(SimulatedNode node, TaskCall call, SubjectTransaction transaction) throws HandlerThrew {
        Dice dice = dice(call);
        if (dice.percent(KEEPING)) {
            transaction.keepVersion();
        }
        TaskResult natural = natural(call, dice);
        return answer(
                node,
                effect(node, call),
                dice,
                natural instanceof TaskResult.Ok ok && dice.percent(10) ? Things.linked(ok, dice) : natural);
    }

    private static Ledger.Effect effect(SimulatedNode node, TaskCall call) {
        return new Ledger.Effect(
                new RunKey(call.tenant(), call.run()), call.activation(), call.attempt(), call.key(), node.name());
    }

    private Dice dice(TaskCall call) {
        return new Dice(world.seed(), call.correlation(), call.activation(), call.attempt());
    }

    private TaskResult natural(TaskCall call, Dice dice) {
        if (isWeary(call.activation())) {
            return TaskResult.permanent("WEARY", "enough");
        }
        // A handler that goes by its key gives every attempt the same answer.
        return result(dice, new Dice(world.seed(), call.correlation(), call.activation()))
                .orElse(THREW);
    }

    private static boolean isWeary(ActivationId activation) {
        return activation.visit() >= WEARY;
    }

    private TaskResult answer(SimulatedNode node, Ledger.Effect effect, Dice dice, TaskResult natural)
            throws HandlerThrew {
        world.say(() -> node.name() + " calls the handler of " + effect.activation() + ", attempt " + effect.attempt());
        Strikes.Call outcome = node.strikes().call(natural);
        Duration takes = isWeary(effect.activation()) ? Duration.ofSeconds(60) : takes(dice);
        node.handlerCalled(effect, outcome.delay().plus(takes), outcome.dies());
        if (outcome.result().equals(THREW)) {
            throw new HandlerThrew();
        }
        return outcome.result();
    }

    /** A handler's own exception. */
    private static final class HandlerThrew extends Exception {
        private static final long serialVersionUID = 1L;
    }

    private static Duration takes(Dice dice) {
        return dice.percent(15) ? dice.millis(1_000, 12_000) : dice.millis(0, 500);
    }

    /** Empty if it throws. */
    private static Optional<TaskResult> result(Dice dice, Dice byKey) {
        int die = dice.below(100);
        if (die < 3) {
            return Optional.empty();
        }
        return Optional.of(
                switch (die) {
                    case 3, 4, 5, 6, 7, 8, 9 -> TaskResult.retryable("AGAIN", "not yet");
                    case 10, 11, 12 -> TaskResult.permanent("NEVER", "no");
                    case 13, 14 -> failed(FailureClass.POLICY_DENIED, Optional.empty());
                    case 15, 16, 17 -> failed(FailureClass.EXTERNAL_LIMIT, Optional.of(dice.millis(0, 20_000)));
                    case 18, 19, 20 -> new TaskResult.Skipped("nothing to do");
                    default -> TaskResult.ok(output(dice.percent(80) ? byKey : dice, die < 35));
                });
    }

    private static TaskResult failed(FailureClass failure, Optional<Duration> retryAfter) {
        return new TaskResult.Failed(failure, TaskError.of("REFUSED", failure.name()), retryAfter);
    }

    private static JsonObject output(Dice dice, boolean large) {
        JsonObject.Builder json = JsonObject.builder().put("n", dice.below(100));
        return large ? json.put("pad", "x".repeat(LARGE)).build() : json.build();
    }
}
