package dev.flowstone.server.deploy;

import java.util.EnumMap;
import java.util.List;
import java.util.Map;

/**
 * What applying a folder does.
 *
 * @param steps in the order in which they are done
 */
public record Plan(List<Step> steps) {
    public Plan {
        steps = List.copyOf(steps);
    }

    public boolean hasConflicts() {
        return steps.stream().anyMatch(step -> step.change() == Step.Change.CONFLICT);
    }

    public boolean isPending() {
        return steps.stream().anyMatch(step -> step.change().isPending());
    }

    /** How many of each there are. */
    public Map<Step.Change, Integer> counts() {
        Map<Step.Change, Integer> counts = new EnumMap<>(Step.Change.class);
        steps.forEach(step -> counts.merge(step.change(), 1, Integer::sum));
        return counts;
    }
}
