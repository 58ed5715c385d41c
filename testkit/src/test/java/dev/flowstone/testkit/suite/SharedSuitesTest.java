package dev.flowstone.testkit.suite;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SharedSuitesTest {
    @Test
    void findsTheFolderBesideOneAbove(@TempDir Path root) throws IOException {
        Path shared = root.resolve("shared");
        Path suites = Files.createDirectories(shared.resolve("suites"));
        Path module = Files.createDirectories(root.resolve("main/testkit/deep"));

        assertEquals(shared, suites.getParent());
        assertEquals(Optional.of(shared), SharedSuites.above(module));
        assertEquals(Optional.of(shared), SharedSuites.above(root.resolve("main")));
    }
}
