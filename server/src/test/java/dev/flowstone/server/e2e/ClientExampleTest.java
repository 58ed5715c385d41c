package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.File;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/**
 * The project in {@code examples/client}, built and run as a process of its own with nothing but the library and Jackson, against a real
 * server.
 */
@ExtendWith(SharedHouse.class)
final class ClientExampleTest {
    private static final Path PROJECT =
            Path.of(System.getProperty("basedir", ".")).resolve("../examples/client/src/main");

    @TempDir
    Path folder = Path.of("");

    /** The library and what it needs, out of all that the tests have. */
    private static String library() {
        List<String> found = Stream.of(System.getProperty("java.class.path").split(File.pathSeparator))
                .filter(
                        path -> path.matches(
                                ".*(/sdk/target/|flowstone-sdk|/tools/jackson/core/|/com/fasterxml/jackson/core/jackson-annotations/).*"))
                .toList();
        assertEquals(4, found.size(), found::toString);
        return String.join(File.pathSeparator, found);
    }

    private Path build() throws Exception {
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        Path classes = Files.createDirectories(folder.resolve("classes"));
        List<Path> sources;
        try (Stream<Path> all = Files.walk(PROJECT.resolve("java"))) {
            sources = all.filter(file -> file.toString().endsWith(".java")).toList();
        }
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of("-cp", library(), "-proc:none", "-d", classes.toString());
            boolean built = compiler.getTask(
                            said, files, null, options, null, files.getJavaFileObjectsFromPaths(sources))
                    .call();
            assertTrue(built, said::toString);
        }
        Files.copy(PROJECT.resolve("resources/client-orders.json"), classes.resolve("client-orders.json"));
        return classes;
    }

    private List<String> ran(Path classes, House house) throws Exception {
        Path said = folder.resolve("said");
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-cp",
                        classes + File.pathSeparator + library(),
                        "dev.flowstone.example.orders.Orders",
                        RemoteWorkerTest.address(house).toString())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile())
                .start();
        try {
            assertTrue(process.waitFor(2, TimeUnit.MINUTES), "it ends by itself");
            assertEquals(0, process.exitValue(), Files.readString(said));
            return Files.readAllLines(said);
        } finally {
            process.destroyForcibly();
        }
    }

    @Test
    void itStartsFollowsAndDoesOrders(House house) throws Exception {
        List<String> said = ran(build(), house);

        assertEquals("1 RunStarted", said.getFirst());
        for (String line : List.of(
                "[0-9]+ RunCompleted",
                "o-1 left as parcel-.{8}",
                "o-2 left as parcel-.{8}",
                "o-3 failed: there are 100 of lamp",
                "flowstone_worker_handler_worked_total\\{action=\"orders.ship\"} 2",
                "flowstone_worker_handler_failed_total\\{action=\"orders.reserve\"} 1")) {
            assertTrue(said.stream().anyMatch(each -> each.matches(line)), () -> line + " in " + said);
        }
    }
}
