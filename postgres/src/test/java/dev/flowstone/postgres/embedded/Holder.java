package dev.flowstone.postgres.embedded;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * {@link HolderMain} in a JVM of its own.
 *
 * @param answer its first line
 */
record Holder(Process process, String answer) {
    static Holder start(Path directory, Path cache) throws IOException {
        return behind(List.of(), directory, cache, System.getProperty("java.class.path"));
    }

    static Holder behind(List<String> prefix, Path directory, Path cache, String classPath) throws IOException {
        List<String> command = new ArrayList<>(prefix);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xshare:auto",
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-cp",
                classPath,
                HolderMain.class.getName(),
                directory.toString(),
                cache.toString()));
        ProcessBuilder builder = new ProcessBuilder(command).redirectError(ProcessBuilder.Redirect.INHERIT);
        Process process = builder.start();
        BufferedReader output =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        String line = output.readLine();
        if (line == null) {
            throw new IOException("the holder ended without a word");
        }
        return new Holder(process, line);
    }

    long serverProcess() {
        return Long.parseLong(answer.split(" ", -1)[1]);
    }

    void kill() throws InterruptedException {
        process.destroyForcibly().waitFor();
    }

    void end() throws IOException, InterruptedException {
        process.getOutputStream().close();
        process.waitFor();
    }
}
