package dev.flowstone.testkit.simulation;

import java.util.ArrayList;
import java.util.List;

/**
 * A seed that broke a rule, made small.
 *
 * @param plan the fewest steps found that still break it
 * @param violation which rule, and how
 * @param trace the last things that happened: step, time since the beginning, event
 */
public record Failure(Plan plan, String violation, List<String> trace) {
    public Failure {
        trace = List.copyOf(trace);
    }

    /** What plays it again. */
    public String command() {
        String seed = "./flowstone simulate-faults --seed " + plan.seed();
        return plan.isWhole() ? seed : seed + " --steps " + plan.text();
    }

    /** For a person. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("seed " + plan.seed() + " breaks " + violation);
        lines.add("");
        lines.add(" step        time  what happened last");
        lines.addAll(trace);
        lines.add("");
        lines.add("again, with all of its " + Plan.of(plan.seed()).steps().size()
                + " steps: ./flowstone simulate-faults --seed " + plan.seed());
        lines.add("again, with the " + plan.steps().size() + " that matter: " + command());
        return lines;
    }
}
