package dev.flowstone.server.cli;

import static org.junit.jupiter.api.Assertions.assertNotNull;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/** What {@code ./flowstone} runs has all the classes that its commands begin with; tests have more of them. */
final class AppTest {
    private static final Path LIB = Path.of("..", "target", "app", "lib");

    @ParameterizedTest
    @ValueSource(
            strings = {
                "dev.flowstone.server.cli.Main",
                "dev.flowstone.bench.worker.NoOpWorker",
                "dev.flowstone.sdk.worker.WorkerConfig",
                "dev.flowstone.testkit.simulation.FaultSimulator"
            })
    void hasTheClass(String name) throws Exception {
        assumeTrue(Files.isDirectory(LIB), "./flowstone check builds it first");
        List<URL> jars = new ArrayList<>();
        try (Stream<Path> files = Files.list(LIB)) {
            for (Path file : files.toList()) {
                jars.add(file.toUri().toURL());
            }
        }
        try (URLClassLoader app = new URLClassLoader(jars.toArray(URL[]::new), ClassLoader.getPlatformClassLoader())) {
            assertNotNull(app.loadClass(name));
        }
    }
}
