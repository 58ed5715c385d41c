package dev.flowstone.testkit.scenario;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.testkit.scenario.step.StepKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Which scenario files there must be: one at least for each thing that the engine promises. Others run them. */
final class ScenarioInventoryTest {
    private static final Path FOLDER = Path.of("src", "test", "resources", "scenarios");
    private static final Path EXAMPLES = Path.of("..", "examples");
    private static final String SUFFIX = ".scenario.yaml";

    /** A place in the folder, and what is said in it. */
    record Demand(String file, String word) {
        boolean isMetBy(Path path) {
            String name = FOLDER.relativize(path).toString().replace('\\', '/').replace(SUFFIX, "");
            return (name.equals(file) || (file.endsWith("-") && name.startsWith(file))) && says(path, word);
        }
    }

    private static final List<Demand> DEMANDS = List.of(
            // Every kind of node.
            new Demand("nodes/end-terminates", "end:"),
            new Demand("nodes/task-held-open", "task:"),
            new Demand("nodes/human-task", "human:"),
            new Demand("nodes/choice-takes-the-first-that-holds", "choice:"),
            new Demand("nodes/fork-of-branches-and-join", "fork:"),
            new Demand("nodes/fork-of-branches-and-join", "join:"),
            new Demand("nodes/for-each-in-a-window", "window:"),
            new Demand("nodes/timer-waits-in-four-ways", "timer:"),
            new Demand("nodes/await-and-emit", "await:"),
            new Demand("nodes/await-and-emit", "emit:"),
            new Demand("nodes/call-and-spawn", "call:"),
            new Demand("nodes/call-and-spawn", "waits: false"),
            new Demand("nodes/assign-writes-all-at-once", "assign:"),
            new Demand("nodes/published-policy", "policies:"),
            new Demand("nodes/rerendered-input", "rerender: true"),
            // Whatever may become of a task in a transaction.
            new Demand("nodes/transactional-task", "transaction: {output:"),
            new Demand("nodes/transactional-task", "keepsVersion:"),
            new Demand("nodes/transactional-task", "requires:"),
            new Demand("nodes/transactional-task", "stale:"),
            new Demand("nodes/transactional-task", "unknown: done"),
            new Demand("nodes/transactional-task", "unknown: undone"),
            new Demand("nodes/transactional-task", "fail: retryable"),
            new Demand("nodes/transactional-task", "fail: permanent"),
            new Demand("nodes/transactional-task", "fail: policy_denied"),
            new Demand("nodes/transactional-task", "fail: external_limit"),
            new Demand("nodes/transactional-task", "links:"),
            new Demand("nodes/transactional-task", "edit:"),
            // What becomes of a child, by operation.
            new Demand("nodes/child-policies", "onTimeout: wait"),
            new Demand("nodes/child-policies", "onTerminate: detach"),
            new Demand("nodes/child-policies", "onSuspend: fence_parent_only"),
            new Demand("nodes/child-policies", "onCancel: complete_then_cancel"),
            new Demand("states/what-reaches-a-child", "children: fenceParentOnly"),
            // Workflows as states.
            new Demand("states/compensation-of-the-whole", "onFailure: compensate"),
            new Demand("states/order-of-a-state", "onEnter:"),
            new Demand("states/order-of-a-state", "onExit:"),
            new Demand("states/order-of-a-state", "concurrency:"),
            new Demand("states/order-of-a-state", "timeout:"),
            new Demand("states/failure-policies", "onFailure: arrive"),
            // Every policy of a join.
            new Demand("joins/all", "join:"),
            new Demand("joins/any-keeps-its-losers", "losers: keep"),
            new Demand("joins/count", "count:"),
            new Demand("joins/majority", "majority"),
            new Demand("joins/ended", "ended:"),
            // Every command of operators.
            new Demand("control/suspend-and-resume", "suspend:"),
            new Demand("control/suspend-and-resume", "resume:"),
            new Demand("control/declared-hold", "metadata:"),
            new Demand("control/resume-preview", "ifResumed:"),
            new Demand("control/drain", "drain:"),
            new Demand("control/wide-holds", "scope: workflow"),
            new Demand("control/wide-holds", "scope: tenant"),
            new Demand("control/wide-holds", "scope: system"),
            new Demand("control/rollback", "rollback:"),
            new Demand("control/incidents", "do: retry"),
            new Demand("control/incidents", "do: skip"),
            new Demand("control/incidents", "do: fail"),
            new Demand("control/force-fire", "forceFire:"),
            new Demand("control/cancel", "cancel:"),
            new Demand("control/migrate", "migrate:"),
            new Demand("control/reset", "reset:"),
            new Demand("cases/case-14-terminate-three-levels-deep", "terminate:"),
            // Both kinds of scope, in each other.
            new Demand("scopes/nested-both-ways", "dag:"),
            new Demand("scopes/nested-both-ways", "flow:"),
            // The corners where engines differ.
            new Demand("scopes/failure-edge-out-of-a-losing-branch", "failure"),
            new Demand("scopes/exit-out-of-a-for-each-inside-a-dag", "settling:"),
            new Demand("scopes/skipped-fork-with-exits", "fork:"),
            new Demand("scopes/two-exits-at-once", "fork:"),
            new Demand("scopes/terminating-end-against-a-join", "terminate"),
            new Demand("scopes/slot-whose-path-ends-in-a-leaf", "flow:"),
            new Demand("scopes/kept-loser-that-exits", "losers: keep"));

    static Stream<Demand> demands() {
        List<Integer> cases = List.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 17, 18, 20, 24);
        return Stream.concat(
                DEMANDS.stream(), cases.stream().map(it -> new Demand("cases/case-%02d-".formatted(it), "scenarios:")));
    }

    private static List<Path> files() throws IOException {
        try (Stream<Path> below = Files.walk(FOLDER)) {
            return below.filter(it -> it.toString().endsWith(SUFFIX)).sorted().toList();
        }
    }

    private static boolean says(Path file, String word) {
        try {
            return Files.readString(file).lines().anyMatch(line -> !line.startsWith("#") && line.contains(word));
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @ParameterizedTest
    @MethodSource("demands")
    void thereIsAScenarioFor(Demand demand) throws IOException {
        assertTrue(files().stream().anyMatch(demand::isMetBy), demand::toString);
    }

    static List<Path> examples() throws IOException {
        try (Stream<Path> below = Files.walk(EXAMPLES)) {
            return below.filter(it -> it.toString().endsWith(".json"))
                    .filter(it -> !it.startsWith(EXAMPLES.resolve("events"))) // subscriptions, and no workflows
                    .filter(it -> !it.startsWith(EXAMPLES.resolve("deploy").resolve("triggers")))
                    .sorted()
                    .toList();
        }
    }

    /** What the scenarios page says; {@code ScenarioFilesTest} runs them and demands that they reach every node. */
    @ParameterizedTest
    @MethodSource("examples")
    void everyExampleHasScenariosOfItsOwn(Path example) {
        Path below = EXAMPLES.relativize(example);
        String name = example.getFileName().toString().replace(".json", SUFFIX);
        Path scenarios = EXAMPLES.resolve("scenarios").resolve(name);

        assertTrue(Files.exists(scenarios), scenarios::toString);
        assertTrue(says(scenarios, "definition: ../" + below.toString().replace('\\', '/')), scenarios::toString);
    }

    @Test
    void everyStepThatAScenarioCanTakeIsTakenBySome() throws IOException {
        List<Path> files = files();
        List<String> untaken = Arrays.stream(StepKind.values())
                .map(StepKind::word)
                .filter(word -> files.stream().noneMatch(file -> takes(file, word)))
                .toList();

        assertEquals(List.of(), untaken);
    }

    private static boolean takes(Path file, String word) {
        try {
            return Pattern.compile("(?m)^[^#\\n]*(- |\\{)" + word + ":")
                    .matcher(Files.readString(file))
                    .find();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
