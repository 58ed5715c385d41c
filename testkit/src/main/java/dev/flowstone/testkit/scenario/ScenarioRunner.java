package dev.flowstone.testkit.scenario;

import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.testkit.scenario.check.Difference;
import dev.flowstone.testkit.scenario.check.Observed;
import dev.flowstone.testkit.scenario.check.Together;
import dev.flowstone.testkit.scenario.file.Scenario;
import dev.flowstone.testkit.scenario.file.ScenarioFile;
import dev.flowstone.testkit.scenario.report.Reached;
import dev.flowstone.testkit.scenario.report.ScenarioResult;
import dev.flowstone.testkit.scenario.report.TimelineLines;
import dev.flowstone.testkit.scenario.step.StepException;
import dev.flowstone.testkit.scenario.step.StepKind;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Stream;

/** Plays one scenario from its start to its {@code then}. */
final class ScenarioRunner {
    /** How long a run may take after its last step; more than the longest delay that definitions may ask for. */
    private static final Duration PATIENCE = Duration.ofDays(3_660);

    private ScenarioRunner() {}

    static ScenarioResult run(ScenarioFile file, Scenario scenario) {
        return run(file, scenario, new ScenarioWorld(file.program(), scenario.given()));
    }

    /** Plays it there, and closes that. */
    static ScenarioResult run(ScenarioFile file, Scenario scenario, ScenarioWorld fresh) {
        long began = System.nanoTime();
        try (ScenarioWorld world = fresh) {
            List<Difference> differences = new ArrayList<>();
            try {
                world.start();
                play(world, scenario).ifPresent(differences::add);
            } catch (RuntimeException e) {
                differences.add(new Difference(
                        "scenario", scenario.line(), List.of("the engine failed, please report it: " + e)));
            }
            Observed end = world.observed();
            differences.addAll(0, world.differences());
            Stream.concat(world.earlier().stream(), Stream.of(end))
                    .map(Together::torn)
                    .filter(it -> !it.isEmpty())
                    .forEach(it -> differences.add(new Difference("subject", scenario.line(), it)));
            if (!world.unstubbed().isEmpty()) {
                differences.addFirst(new Difference("given.handlers", scenario.line(), world.unstubbed()));
            }
            return new ScenarioResult(
                    file.file(),
                    scenario.name(),
                    scenario.line(),
                    differences,
                    Duration.between(end.start(), end.now()),
                    Duration.ofNanos(System.nanoTime() - began),
                    TimelineLines.of(end.events()),
                    reached(
                            file,
                            Stream.concat(world.earlier().stream(), Stream.of(end))
                                    .toList()));
        }
    }

    /** Why it went no further, if it didn't. */
    private static Optional<Difference> play(ScenarioWorld world, Scenario scenario) {
        for (StepKind.Placed placed : scenario.when()) {
            String key = "when." + placed.kind().word();
            try {
                placed.step().perform(world);
            } catch (StepException e) {
                return Optional.of(new Difference(key, placed.line(), List.of(String.valueOf(e.getMessage()))));
            }
            Optional<Difference> stalled = stalled(world, key, placed.line());
            if (stalled.isPresent()) {
                return stalled;
            }
        }
        if (scenario.then().isOfTheEnd()) {
            world.runOn(PATIENCE);
        }
        world.expect(scenario.then());
        return stalled(world, "then", scenario.line());
    }

    private static Optional<Difference> stalled(ScenarioWorld world, String key, int line) {
        return world.stalled().map(it -> new Difference(key, line, List.of(String.valueOf(it.getMessage()))));
    }

    /** By all of the scenario's runs together. */
    private static Reached reached(ScenarioFile file, List<Observed> runs) {
        Set<String> nodes = new HashSet<>();
        Set<String> edges = new HashSet<>();
        for (Observed run : runs) {
            nodes.addAll(run.visited());
            run.all(EventBody.Transitioned.class)
                    .flatMap(it -> it.taken().stream())
                    .forEach(edge -> edges.add(edge.value()));
        }
        return new Reached(file.definition(), file.program(), nodes, edges);
    }
}
