package dev.flowstone.server.e2e;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.jar.JarEntry;
import java.util.jar.JarOutputStream;
import java.util.stream.Stream;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Makes a jar of a connector as its author would: compiled against the class path, named as a service. */
final class PluginJar {
    private static final String SERVICE = "META-INF/services/dev.flowstone.action.Connector";

    private PluginJar() {}

    /** @param name of the class, without a package */
    static void write(Path jar, Path work, String name, String source, String service) throws Exception {
        Path folder = Files.createDirectories(work.resolve(name));
        Path file = Files.writeString(folder.resolve(name + ".java"), source);
        Path classes = Files.createDirectories(folder.resolve("classes"));
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options =
                    List.of("-cp", System.getProperty("java.class.path"), "-proc:none", "-d", classes.toString());
            boolean compiled = compiler.getTask(said, files, null, options, null, files.getJavaFileObjects(file))
                    .call();
            assertEquals("", said.toString());
            assertEquals(true, compiled);
        }
        try (JarOutputStream out = new JarOutputStream(Files.newOutputStream(jar));
                Stream<Path> compiled = Files.list(classes)) {
            for (Path each : compiled.toList()) {
                out.putNextEntry(new JarEntry(each.getFileName().toString()));
                out.write(Files.readAllBytes(each));
            }
            out.putNextEntry(new JarEntry(SERVICE));
            out.write(service.getBytes(UTF_8));
        }
    }
}
