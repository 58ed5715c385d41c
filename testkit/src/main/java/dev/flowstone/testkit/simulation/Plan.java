package dev.flowstone.testkit.simulation;

import dev.flowstone.testkit.simulation.world.Dice;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;

/**
 * Which seed, and which of its steps. Each step throws dice of its own, so that leaving some out doesn't change what the
 * others mean to do; that is how a failure is made small.
 *
 * @param steps by number, ascending; written {@code 0-4,9}
 */
public record Plan(long seed, List<Integer> steps) {
    private static final int FEWEST = 50;
    private static final int MOST = 228;

    public Plan {
        steps = List.copyOf(steps);
    }

    /** All steps of a seed. */
    public static Plan of(long seed) {
        int length = new Dice(seed, "length").between(FEWEST, MOST);
        return new Plan(seed, IntStream.range(0, length).boxed().toList());
    }

    /**
     * Some steps of a seed.
     *
     * @throws IllegalArgumentException if the text isn't of the form {@code 0-4,9}
     */
    public static Plan of(long seed, String steps) {
        List<Integer> numbers = new ArrayList<>();
        try {
            for (String range : steps.split(",", -1)) {
                String[] ends = range.strip().split("-", -1);
                int first = Integer.parseInt(ends[0]);
                int last = Integer.parseInt(ends[ends.length - 1]);
                if (ends.length > 2 || last < first || last > MOST) {
                    throw new IllegalArgumentException("not a range: " + range);
                }
                IntStream.rangeClosed(first, last).forEach(numbers::add);
            }
        } catch (NumberFormatException e) {
            throw new IllegalArgumentException("steps are written like 0-4,9, not " + steps, e);
        }
        return new Plan(seed, numbers);
    }

    public Plan with(List<Integer> some) {
        return new Plan(seed, some);
    }

    public boolean isWhole() {
        return equals(of(seed));
    }

    /** The steps in brief: {@code 0-4,9}. */
    public String text() {
        StringBuilder text = new StringBuilder();
        int i = 0;
        while (i < steps.size()) {
            int last = i;
            while (last + 1 < steps.size() && steps.get(last + 1) == steps.get(last) + 1) {
                last++;
            }
            text.append(text.isEmpty() ? "" : ",").append(steps.get(i));
            if (last > i) {
                text.append('-').append(steps.get(last));
            }
            i = last + 1;
        }
        return text.toString();
    }
}
