package dev.flowstone.kernel.json;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;
import org.opentest4j.AssertionFailedError;

/**
 * Finds the test material that nobody here wrote: the folder {@code shared/suites}, from the system property {@code
 * flowstone.shared}, the variable {@code FLOWSTONE_SHARED}, or beside any folder above this one. Where it is absent the
 * test is skipped, visibly; in CI it fails.
 */
final class SharedSuites {
    private SharedSuites() {}

    /** A folder or file below {@code shared/suites}. */
    static Path path(String name) {
        for (Path shared : candidates()) {
            Path path = shared.resolve("suites").resolve(name);
            if (Files.exists(path)) {
                return path;
            }
        }
        if ("true".equals(System.getenv("CI"))) {
            throw new AssertionFailedError("shared/suites/" + name + " is missing in CI; set FLOWSTONE_SHARED");
        }
        Assumptions.abort("shared/suites/" + name + " is not here; set FLOWSTONE_SHARED");
        throw new IllegalStateException("abort() always throws");
    }

    /** The files directly in a folder, by name. */
    static List<Path> files(String folder) {
        try (Stream<Path> files = Files.list(path(folder))) {
            return files.sorted().toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static List<Path> candidates() {
        Stream<Path> told = Stream.of(System.getProperty("flowstone.shared", ""), environment())
                .filter(folder -> !folder.isEmpty())
                .map(Path::of);
        Stream<Path> beside = Stream.iterate(Path.of("").toAbsolutePath(), Path::getParent)
                .takeWhile(folder -> folder != null)
                .map(folder -> folder.resolve("shared"));
        return Stream.concat(told, beside).toList();
    }

    private static String environment() {
        String folder = System.getenv("FLOWSTONE_SHARED");
        return folder == null ? "" : folder;
    }
}
