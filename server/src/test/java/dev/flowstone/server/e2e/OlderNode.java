package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.TimeUnit;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/** A server of the release whose sources lie in {@code src/test/older}, in a process of its own. */
final class OlderNode implements AutoCloseable {
    private static final Path SOURCES = Path.of("src", "test", "older");
    private static final Path BUILT = Path.of("target", "older").toAbsolutePath();
    private static final Duration BUILD = Duration.ofMinutes(8);
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final Pattern READY = Pattern.compile("Flowstone is ready: (\\S+)/api/v1 .*");

    private final Process process;
    private final URI address;
    private final HttpClient client =
            HttpClient.newBuilder().version(HttpClient.Version.HTTP_1_1).build();

    private OlderNode(Process process, URI address) {
        this.process = process;
        this.address = address;
    }

    /** Builds it, unless this clone has; the folder with its sources and its jars. */
    static Path build() throws Exception {
        Path archive = archive();
        String commit = archive.getFileName().toString().replace(".tar.gz", "");
        Path place = BUILT.resolve(commit);
        Path stamp = place.resolve("built");
        if (!Files.exists(stamp)) {
            Files.createDirectories(place);
            end(place, BUILD, "tar", "-xzf", archive.toString());
            withoutLinter(place.resolve("pom.xml"));
            end(
                    place,
                    BUILD,
                    "mvn",
                    "-B",
                    "-ntp",
                    "-pl",
                    "server",
                    "-am",
                    "-Dmaven.test.skip",
                    "-Dspotless.check.skip",
                    "package");
            Files.createFile(stamp);
        }
        return place;
    }

    /** Linters have seen it when it was released, and change nothing of what is compiled; they take most of the time. */
    private static void withoutLinter(Path pom) throws IOException {
        Files.writeString(pom, Files.readString(pom).replaceAll("<arg>-Xplugin:ErrorProne[^<]*</arg>", ""));
    }

    private static Path archive() throws IOException {
        try (Stream<Path> files = Files.list(SOURCES.toAbsolutePath())) {
            List<Path> archives =
                    files.filter(file -> file.toString().endsWith(".tar.gz")).toList();
            assertEquals(1, archives.size(), () -> "archives in " + SOURCES);
            return archives.getFirst();
        }
    }

    private static void end(Path place, Duration patience, String... command) throws Exception {
        File log = place.resolve("build.log").toFile();
        Process program = new ProcessBuilder(command)
                .directory(place.toFile())
                .redirectErrorStream(true)
                .redirectOutput(log)
                .start();
        boolean ended = program.waitFor(patience.toSeconds(), TimeUnit.SECONDS);
        if (!ended) {
            program.descendants().forEach(ProcessHandle::destroyForcibly);
            program.destroyForcibly();
        }
        assertTrue(ended && program.exitValue() == 0, () -> String.join(" ", command) + ": see " + log);
    }

    /**
     * Starts it, and waits until it is ready.
     *
     * @param built what {@link #build} gave
     * @param log gets what it says on standard error
     */
    static OlderNode start(Path built, Map<String, String> settings, Path log) throws Exception {
        Path server = built.resolve("server").resolve("target");
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-Xmx512m",
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-cp",
                server.resolve("lib").resolve("*") + File.pathSeparator + jar(server),
                "dev.flowstone.server.cli.Main",
                "serve",
                "--port",
                "0"));
        settings.forEach((name, value) -> command.addAll(List.of("--set", name + "=" + value)));
        Process process = new ProcessBuilder(command)
                .redirectError(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .start();
        BufferedReader out =
                new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
        CompletableFuture<String> first = new CompletableFuture<>();
        Thread.startVirtualThread(() -> out.lines().forEach(first::complete));
        String line = first.completeOnTimeout("", PATIENCE.toSeconds(), TimeUnit.SECONDS)
                .join();
        Matcher ready = READY.matcher(line);
        if (!ready.matches()) {
            process.destroyForcibly();
            return fail("it doesn't start: " + line + "; see " + log + "\n" + Files.readString(log));
        }
        return new OlderNode(process, URI.create(ready.group(1)));
    }

    private static Path jar(Path server) throws IOException {
        try (Stream<Path> files = Files.list(server)) {
            return files.filter(file -> file.getFileName().toString().matches("flowstone-server-[^-]*\\.jar"))
                    .findFirst()
                    .orElseThrow();
        }
    }

    House.Answer post(String path, String body, String... headers) throws Exception {
        HttpRequest.Builder request =
                at(path).header("Content-Type", "application/json").POST(BodyPublishers.ofString(body));
        return send(headers.length == 0 ? request : request.headers(headers));
    }

    House.Answer get(String path) throws Exception {
        return send(at(path).GET());
    }

    private HttpRequest.Builder at(String path) {
        return HttpRequest.newBuilder(URI.create(address + "/api/v1" + path)).timeout(PATIENCE);
    }

    private House.Answer send(HttpRequest.Builder request) throws Exception {
        HttpResponse<byte[]> answer = client.send(request.build(), BodyHandlers.ofByteArray());
        return new House.Answer(answer.statusCode(), new String(answer.body(), StandardCharsets.UTF_8));
    }

    /** SIGTERM: it hands over what it has and ends; nothing if it has. */
    @Override
    public void close() throws IOException {
        process.destroy();
        try {
            assertTrue(process.waitFor(PATIENCE.toSeconds(), TimeUnit.SECONDS), "it stops");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            process.destroyForcibly();
        }
    }
}
