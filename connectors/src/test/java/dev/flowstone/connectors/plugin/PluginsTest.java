package dev.flowstone.connectors.plugin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotSame;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.connectors.registry.FoundConnector;
import dev.flowstone.connectors.registry.RefusedConnectorException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import javax.tools.JavaCompiler;
import javax.tools.JavaFileObject;
import javax.tools.SimpleJavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Jars of others, compiled here as they would compile them. */
final class PluginsTest {
    private static final String SERVICE = "META-INF/services/dev.flowstone.action.Connector";

    @TempDir
    Path folder = Path.of("");

    @TempDir
    Path work = Path.of("");

    /** A connector whose only action's description says what a class beside it is. */
    private static String connector(String id, String body) {
        return """
                import dev.flowstone.action.*;
                public final class Sample implements Connector {
                    public record In(String text) {}
                    public Sample() { %s }
                    public ConnectorSpec spec() { return ConnectorSpec.of("%s", "1.0.0", "S", "For a test.").build(); }
                    public java.util.List<Action<?, ?>> actions() {
                        return java.util.List.of(new Action<In, In>() {
                            public ActionSpec<In, In> spec() { return ActionSpec.of("%s.say", In.class, In.class).build(); }
                            public ActionResult<In> run(In in, ActionContext context) { return ActionResult.succeeded(in); }
                        });
                    }
                }
                """.formatted(body, id, id);
    }

    private void jar(Path file, String source, String service) throws Exception {
        Path classes = Files.createTempDirectory(work, "classes");
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            JavaFileObject text =
                    new SimpleJavaFileObject(URI.create("string:///Sample.java"), JavaFileObject.Kind.SOURCE) {
                        @Override
                        public CharSequence getCharContent(boolean ignored) {
                            return source;
                        }
                    };
            List<String> options =
                    List.of("-cp", System.getProperty("java.class.path"), "-proc:none", "-d", classes.toString());
            assertEquals(
                    true,
                    compiler.getTask(null, files, null, options, null, List.of(text))
                            .call());
        }
        try (JarOutputStream jar = new JarOutputStream(Files.newOutputStream(file));
                var compiled = Files.list(classes)) {
            for (Path each : compiled.toList()) {
                jar.putNextEntry(new JarEntry(each.getFileName().toString()));
                jar.write(Files.readAllBytes(each));
            }
            jar.putNextEntry(new JarEntry(SERVICE));
            jar.write(service.getBytes(UTF_8));
        }
    }

    private String refusal() {
        return String.valueOf(assertThrows(RefusedConnectorException.class, () -> Plugins.in(folder))
                .getMessage());
    }

    @Test
    void eachJarAndEachFolderOfJarsHasALoaderOfItsOwn() throws Exception {
        jar(folder.resolve("b.jar"), connector("two", ""), "Sample");
        jar(Files.createDirectory(folder.resolve("a")).resolve("x.jar"), connector("one", ""), "Sample");
        Files.writeString(folder.resolve("README.txt"), "not a plug-in");

        List<FoundConnector> found = Plugins.in(folder);

        assertEquals(
                List.of("one", "two"),
                found.stream().map(it -> it.connector().spec().id()).toList());
        assertEquals(
                List.of(folder.resolve("a").toString(), folder.resolve("b.jar").toString()),
                found.stream().map(FoundConnector::origin).toList());
        assertNotSame(
                found.getFirst().connector().getClass(),
                found.getLast().connector().getClass(),
                "two classes of one name are in nobody's way");
    }

    @Test
    void oneThatCannotBeLoadedIsNamed() throws Exception {
        jar(folder.resolve("bad.jar"), connector("bad", ""), "Missing");
        String message = refusal();
        assertTrue(message.contains("bad.jar") && message.contains("Missing"), message);

        jar(folder.resolve("bad.jar"), connector("bad", "throw new IllegalStateException(\"no disk\");"), "Sample");
        String thrown = refusal();
        assertTrue(thrown.contains("bad.jar") && thrown.contains("no disk"), thrown);

        Files.writeString(folder.resolve("bad.jar"), "no jar at all");
        assertTrue(refusal().contains("bad.jar"), this::refusal);
    }

    /** It would be bound to the server's version of it, and break with the next. */
    @Test
    void oneSeesOfTheServerOnlyWhatAllHaveInCommon() throws Exception {
        String looks = """
                for (String there : java.util.List.of("tools.jackson.databind.JsonNode", "java.sql.Driver")) {
                    try { Class.forName(there); } catch (ClassNotFoundException e) { throw new IllegalStateException(there + " is missing"); }
                }
                for (String away : java.util.List.of("dev.flowstone.engine.task.TaskCall", "com.networknt.schema.Schema")) {
                    try { Class.forName(away); throw new IllegalStateException(away + " is seen"); } catch (ClassNotFoundException e) { }
                }
                if (Thread.currentThread().getContextClassLoader() != Sample.class.getClassLoader()) {
                    throw new IllegalStateException("libraries look elsewhere");
                }
                """;
        jar(folder.resolve("far.jar"), connector("far", looks), "Sample");
        Files.createDirectory(folder.resolve("..data"));
        Files.copy(folder.resolve("far.jar"), folder.resolve("..data").resolve("far.jar"));
        assertEquals(1, Plugins.in(folder).size(), "a mounted folder has each once more");
    }

    @Test
    void whatIsAtTheBottomIsSaid() throws Exception {
        jar(folder.resolve("bad.jar"), connector("bad", "throw new AssertionError(\"half a disk\");"), "Sample");
        assertTrue(refusal().contains("half a disk"), this::refusal);
        jar(
                folder.resolve("bad.jar"),
                connector("bad", "")
                        .replace("public Sample()", "static final int N = Integer.parseInt(\"x1\"); public Sample()"),
                "Sample");
        assertTrue(refusal().contains("x1"), this::refusal);
    }

    @Test
    void oneThatNamesNoConnectorIsRefused() throws Exception {
        jar(folder.resolve("idle.jar"), connector("idle", ""), "");
        String message = refusal();
        assertTrue(message.contains("idle.jar names no connector") && message.contains(SERVICE), message);
    }

    @Test
    void aFolderThatThereIsNotIsRefused() {
        String message =
                String.valueOf(assertThrows(RefusedConnectorException.class, () -> Plugins.in(folder.resolve("none")))
                        .getMessage());
        assertTrue(message.contains("connector.plugins"), message);
    }

    @Test
    void thoseOfTheClassPathAreFoundThereAndInNoJar() throws Exception {
        jar(folder.resolve("far.jar"), connector("far", ""), "Sample");
        assertEquals(
                List.of("near"),
                Plugins.onClassPath().stream()
                        .map(it -> it.connector().spec().id())
                        .toList());
        assertEquals(
                List.of("far"),
                Plugins.in(folder).stream()
                        .map(it -> it.connector().spec().id())
                        .toList());
    }
}
