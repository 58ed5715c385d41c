package dev.flowstone.architecture;

import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.Stream;

/** Programs of the folder {@code build}, run as they are there. */
final class BuildSource {
    private static final Path ROOT = Path.of(System.getProperty("flowstone.root"));

    private BuildSource() {}

    /** Its exit code, and the lines that it printed about what is below a folder. */
    static List<String> run(String source, Path home) throws Exception {
        Process process = new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        ROOT.resolve("build").resolve(source).toString(),
                        home.toString())
                .redirectErrorStream(true)
                .start();
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        return Stream.concat(Stream.of(Integer.toString(process.waitFor())), output.lines())
                .toList();
    }
}
