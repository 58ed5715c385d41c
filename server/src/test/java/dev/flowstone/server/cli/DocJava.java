package dev.flowstone.server.cli;

import java.io.IOException;
import java.io.StringWriter;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.tools.JavaCompiler;
import javax.tools.StandardJavaFileManager;
import javax.tools.ToolProvider;

/** Whether a text is Java that compiles against everything that tests see. */
final class DocJava {
    private static final Pattern NAME = Pattern.compile("(?:class|record|interface|enum) (\\w+)");

    private DocJava() {}

    /** What the compiler says of it, if it doesn't. */
    static Optional<String> faults(String text, Path folder) throws IOException {
        Matcher name = NAME.matcher(text);
        Path source = Files.writeString(folder.resolve((name.find() ? name.group(1) : "Page") + ".java"), text);
        JavaCompiler compiler = ToolProvider.getSystemJavaCompiler();
        StringWriter said = new StringWriter();
        try (StandardJavaFileManager files = compiler.getStandardFileManager(null, null, null)) {
            List<String> options = List.of(
                    "-cp",
                    System.getProperty("java.class.path"),
                    "-proc:none",
                    "-d",
                    Files.createDirectories(folder.resolve("classes")).toString());
            boolean compiled = compiler.getTask(said, files, null, options, null, files.getJavaFileObjects(source))
                    .call();
            return compiled ? Optional.empty() : Optional.of(said.toString());
        }
    }
}
