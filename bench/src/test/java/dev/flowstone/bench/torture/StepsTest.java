package dev.flowstone.bench.torture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What is said of a torture that can't go on. */
final class StepsTest {
    @TempDir
    private Path folder = Path.of("");

    private final List<String> shown = new ArrayList<>();

    private Steps steps() {
        return new Steps(folder, shown::add);
    }

    @Test
    void tellsTheStepWhoWasGoneAndWhereToLook() throws Exception {
        Files.createDirectories(folder.resolve("pair"));
        for (String file : List.of("node-1.log", "effects.log", "node-1.clock", "pair/db-1.log")) {
            Files.writeString(folder.resolve(file), "");
        }
        Steps steps = steps();
        steps.accept("kill node-1");

        Exception thrown = assertThrows(
                UnfinishedTortureException.class,
                () -> steps.through(() -> List.of("node-1", "the worker"), () -> {
                    throw new IllegalStateException("node-1 wasn't ready", new IOException("no answer"));
                }));

        assertEquals(
                "the torture could not go on at the step 'kill node-1': node-1 wasn't ready (no answer)\n"
                        + "not running at that moment: node-1, the worker\n"
                        + "look into " + folder + ": what its processes said is in node-1.log, pair/db-1.log",
                thrown.getMessage());
        assertEquals(List.of("kill node-1"), shown);
    }

    @Test
    void leavesWhatIsAFaultOfOurs() {
        assertThrows(
                NullPointerException.class,
                () -> steps().through(List::of, () -> {
                    throw new NullPointerException("ours");
                }));
    }
}
