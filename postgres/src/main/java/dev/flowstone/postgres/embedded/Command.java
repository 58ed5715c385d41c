package dev.flowstone.postgres.embedded;

import java.io.IOException;
import java.io.InterruptedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/** Runs a short program to its end. */
final class Command {
    private Command() {}

    /** What it printed, both streams together. */
    record Result(int exitCode, String output) {}

    /** Output goes through a file: a server that a program leaves behind would keep a pipe open for ever. */
    static Result run(List<String> command, Path directory, Map<String, String> environment) throws IOException {
        Path output = Files.createTempFile("flowstone-", ".out");
        try {
            ProcessBuilder builder = new ProcessBuilder(command)
                    .directory(directory.toFile())
                    .redirectErrorStream(true)
                    .redirectInput(
                            ProcessBuilder.Redirect.from(Path.of("/dev/null").toFile()))
                    .redirectOutput(output.toFile());
            builder.environment().keySet().removeIf(name -> name.startsWith("PG"));
            builder.environment().put("LC_ALL", "C");
            builder.environment().put("LC_MESSAGES", "C");
            builder.environment().putAll(environment);
            int exitCode = builder.start().waitFor();
            return new Result(exitCode, new String(Files.readAllBytes(output), StandardCharsets.UTF_8).strip());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            InterruptedIOException interrupted = new InterruptedIOException("interrupted while " + command + " ran");
            interrupted.initCause(e);
            throw interrupted;
        } finally {
            Files.deleteIfExists(output);
        }
    }
}
