package dev.flowstone.server.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import dev.flowstone.server.cli.Cli.Said;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/**
 * A bash in a folder that looks like a clone, in which {@code flowstone} is the command of this JVM: a process of its own for
 * each line of a page would take minutes. A command for a running server goes to the one that is tested against.
 */
final class DocShell implements AutoCloseable {
    private static final long PATIENCE_SECONDS = 120;

    /** Hands over a folder for what is said, and the arguments, files by their whole names; NUL ends each. */
    private static final String COMMAND = """
            #!/bin/bash
            said=$(mktemp -d)
            words=("$said")
            for word in "$@"; do
              if [ -e "$word" ]; then word=$PWD/$word; fi
              words+=("$word")
            done
            exit=$(printf '%s\\0' "${words[@]}" | curl -s --fail --data-binary @- "$FLOWSTONE_DOOR") || exit 99
            cat "$said/out"; cat "$said/err" >&2
            exit "$exit"
            """;

    private final Path folder;
    private final String server;
    private final String tenant;
    private final HttpServer door;

    DocShell(Path folder, Path root, String server, String tenant) throws IOException {
        this.folder = folder;
        this.server = server;
        this.tenant = tenant;
        Path bin = Files.createDirectories(folder.resolve("bin"));
        for (Path place : List.of(bin.resolve("flowstone"), folder.resolve("flowstone"))) {
            Files.writeString(place, COMMAND);
            if (!place.toFile().setExecutable(true)) {
                throw new IOException(place + " can't be made executable");
            }
        }
        Files.createSymbolicLink(
                folder.resolve("examples"), root.resolve("examples").toRealPath());
        door = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        door.createContext("/", this::call);
        door.start();
    }

    private void call(HttpExchange exchange) throws IOException {
        try (exchange) {
            List<String> words = new ArrayList<>(
                    List.of(new String(exchange.getRequestBody().readAllBytes(), UTF_8).split("\0", -1)));
            words.removeLast();
            Path said = Path.of(words.removeFirst());
            Said it = answer(words);
            Files.writeString(said.resolve("out"), it.out());
            Files.writeString(said.resolve("err"), it.err());
            byte[] exit = Integer.toString(it.exit()).getBytes(UTF_8);
            exchange.sendResponseHeaders(200, exit.length);
            exchange.getResponseBody().write(exit);
        }
    }

    private Said answer(List<String> words) {
        if (words.getFirst().equals("serve")) {
            return DocCommands.parsed(words); // one is there
        }
        List<String> all = new ArrayList<>(words);
        if (DocCommands.speaksToAServer(words) && !words.contains("--server")) {
            all.addAll(List.of("--server", server, "--tenant", tenant));
        }
        return Cli.here(all.toArray(String[]::new));
    }

    /** Runs a script to its end; fails with what it said, unless it ends with 0. */
    String run(String script) throws Exception {
        Path file = Files.writeString(folder.resolve("script.sh"), script);
        Path said = folder.resolve("said.txt");
        ProcessBuilder bash = new ProcessBuilder("bash", "-eu", "-o", "pipefail", file.toString())
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(said.toFile());
        Map<String, String> environment = bash.environment();
        environment.put("PATH", folder.resolve("bin") + ":" + environment.get("PATH"));
        environment.put(
                "FLOWSTONE_DOOR", "http://127.0.0.1:" + door.getAddress().getPort() + "/");
        environment.put("FLOWSTONE_TENANT", tenant);
        environment.put("TMPDIR", folder.toString());
        Process process = bash.start();
        process.getOutputStream().close();
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            Stream.concat(process.descendants(), Stream.of(process.toHandle())).forEach(ProcessHandle::destroyForcibly);
            throw new AssertionError("it does not end: " + Files.readString(said));
        }
        if (process.exitValue() != 0) {
            throw new AssertionError("it ends with " + process.exitValue() + ": " + Files.readString(said));
        }
        return Files.readString(said);
    }

    @Override
    public void close() {
        door.stop(0);
    }
}
