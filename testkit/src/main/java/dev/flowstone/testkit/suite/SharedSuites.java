package dev.flowstone.testkit.suite;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/**
 * Finds the folder with the shared specifications and reference suites: the system property {@code flowstone.shared}, else
 * the environment's {@code FLOWSTONE_SHARED}, else the first {@code shared} beside the working directory or one above it.
 */
public final class SharedSuites {
    private static final String PROPERTY = "flowstone.shared";
    private static final String VARIABLE = "FLOWSTONE_SHARED";

    private SharedSuites() {}

    public static Optional<Path> folder() {
        String named = System.getProperty(PROPERTY, System.getenv().getOrDefault(VARIABLE, ""));
        if (!named.isEmpty()) {
            return Optional.of(Path.of(named)).filter(Files::isDirectory);
        }
        return above(Path.of("").toAbsolutePath());
    }

    /** One suite, such as {@code json}. */
    public static Optional<Path> suite(String name) {
        return folder().map(shared -> shared.resolve("suites").resolve(name)).filter(Files::isDirectory);
    }

    static Optional<Path> above(Path start) {
        for (Path at = start; at != null; at = at.getParent()) {
            Path shared = at.resolveSibling("shared");
            if (Files.isDirectory(shared.resolve("suites"))) {
                return Optional.of(shared);
            }
        }
        return Optional.empty();
    }
}
