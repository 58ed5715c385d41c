package dev.flowstone.testkit.history;

import dev.flowstone.testkit.simulation.world.Dice;
import java.util.ArrayList;
import java.util.List;

/** Histories by chance. */
final class RandomHistory {
    /** Ticks from one operation's effect to the next one's. */
    private static final int APART = 100;

    private RandomHistory() {}

    /**
     * What they look like.
     *
     * @param length operations
     * @param clients who take turns by chance
     * @param spread ticks, from 1: the longest from an operation's invocation to its effect, and from there to its return. The
     *     effects are {@value #APART} apart
     * @param lost of a hundred operations, so many are of unknown end
     */
    record Shape(int length, int clients, int spread, int lost) {}

    /** Operations that the machines do one after the other; each overlaps others all the same. It is linearizable. */
    static <I, O> History<I, O> right(Dice dice, List<? extends Machine<I, O>> machines, Shape shape) {
        List<Operation<I, O>> operations = new ArrayList<>();
        for (int i = 0; i < shape.length(); i++) {
            Machine<I, O> machine = dice.pick(machines);
            long effect = (i + 1L) * APART;
            I input = machine.ask(dice);
            operations.add(new Operation<>(
                    "c" + dice.below(shape.clients()),
                    input,
                    effect - 1 - dice.below(shape.spread()),
                    ending(dice, machine, input, effect, shape)));
        }
        return new History<>(operations);
    }

    private static <I, O> Ending<O> ending(Dice dice, Machine<I, O> machine, I input, long effect, Shape shape) {
        boolean lost = dice.percent(shape.lost());
        if (lost && dice.percent(50)) {
            return new Ending.Unknown<>();
        }
        O output = machine.answer(input);
        return lost ? new Ending.Unknown<>() : new Ending.Returned<>(effect + 1 + dice.below(shape.spread()), output);
    }

    /** One of them was told something else, perhaps. */
    static <I, O> History<I, O> oneElse(Dice dice, History<I, O> history, Machine<I, O> machine) {
        List<Operation<I, O>> operations = new ArrayList<>(history.operations());
        int spoilt = dice.below(operations.size());
        operations.set(spoilt, toldAnything(dice, operations.get(spoilt), machine));
        return new History<>(operations);
    }

    /** All of them were told anything. */
    static <I, O> History<I, O> allElse(Dice dice, History<I, O> history, Machine<I, O> machine) {
        return new History<>(history.operations().stream()
                .map(operation -> toldAnything(dice, operation, machine))
                .toList());
    }

    private static <I, O> Operation<I, O> toldAnything(Dice dice, Operation<I, O> operation, Machine<I, O> machine) {
        return operation.ending() instanceof Ending.Returned<O> returned
                ? new Operation<>(
                        operation.client(),
                        operation.input(),
                        operation.invokedAt(),
                        new Ending.Returned<>(returned.at(), machine.any(operation.input(), dice)))
                : operation;
    }
}
