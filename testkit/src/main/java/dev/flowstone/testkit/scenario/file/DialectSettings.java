package dev.flowstone.testkit.scenario.file;

import static java.util.Objects.requireNonNull;

import dev.flowstone.dialect.dag.option.DagOptions;
import dev.flowstone.dialect.states.StatesOptions;
import dev.flowstone.testkit.scenario.source.Durations;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/** What a scenario file says of its dialects, under the names that a server's configuration has; else the defaults. */
record DialectSettings(DagOptions dags, StatesOptions states) {
    private static final List<String> KNOWN = List.of(
            "dag.actionTimeout",
            "dag.workflowTimeout",
            "states.maxSourceBytes",
            "states.maxNesting",
            "states.maxStates",
            "states.maxExpressions",
            "states.maxFaults",
            "states.maxMarkings");

    DialectSettings {
        requireNonNull(dags);
        requireNonNull(states);
    }

    /** @throws IllegalArgumentException if there is no such setting, or it can't have that value */
    static DialectSettings of(Map<String, String> settings) {
        DialectSettings all = new DialectSettings(DagOptions.DEFAULT, StatesOptions.DEFAULT);
        for (Map.Entry<String, String> setting : settings.entrySet()) {
            all = all.with(setting.getKey(), setting.getValue());
        }
        return all;
    }

    private DialectSettings with(String name, String value) {
        return switch (name) {
            case "dag.actionTimeout" -> dags(dags.withDefaults(it -> it.withActionTimeout(duration(name, value))));
            case "dag.workflowTimeout" -> dags(dags.withDefaults(it -> it.withWorkflowTimeout(duration(name, value))));
            case "states.maxSourceBytes" ->
                states(new StatesOptions(
                        limit(name, value),
                        states.maxNesting(),
                        states.maxStates(),
                        states.maxExpressions(),
                        states.maxFaults(),
                        states.maxMarkings()));
            case "states.maxNesting" ->
                states(new StatesOptions(
                        states.maxSourceBytes(),
                        limit(name, value),
                        states.maxStates(),
                        states.maxExpressions(),
                        states.maxFaults(),
                        states.maxMarkings()));
            case "states.maxStates" -> states(states.withStates(limit(name, value), states.maxExpressions()));
            case "states.maxExpressions" -> states(states.withStates(states.maxStates(), limit(name, value)));
            case "states.maxFaults" ->
                states(new StatesOptions(
                        states.maxSourceBytes(),
                        states.maxNesting(),
                        states.maxStates(),
                        states.maxExpressions(),
                        limit(name, value),
                        states.maxMarkings()));
            case "states.maxMarkings" -> states(states.withMarkings(limit(name, value)));
            default -> throw new IllegalArgumentException("there is no setting '" + name + "' here; there is " + KNOWN);
        };
    }

    private DialectSettings dags(DagOptions now) {
        return new DialectSettings(now, states);
    }

    private DialectSettings states(StatesOptions now) {
        return new DialectSettings(dags, now);
    }

    private static Duration duration(String name, String value) {
        return Durations.parse(value).orElseThrow(() -> new IllegalArgumentException(name + " takes a duration"));
    }

    private static int limit(String name, String value) {
        if (!value.matches("[1-9][0-9]{0,8}")) {
            throw new IllegalArgumentException(name + " takes a whole number from 1 to 999999999");
        }
        return Integer.parseInt(value);
    }
}
