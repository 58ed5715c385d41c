package dev.flowstone.bench.pair;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonShapeException;
import dev.flowstone.kernel.json.JsonSyntaxException;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/** A server of the pair: Patroni, and the PostgreSQL that it looks after. */
final class PairServer implements AutoCloseable {
    private static final Duration ANSWER = Duration.ofSeconds(3);

    private final String name;
    private final PairFiles files;
    private final Path configuration;
    private final Path log;
    private @Nullable TiedProcess patroni;

    private PairServer(String name, PairFiles files, Path configuration, Path log) {
        this.name = requireNonNull(name);
        this.files = requireNonNull(files);
        this.configuration = requireNonNull(configuration);
        this.log = requireNonNull(log);
    }

    /** One that isn't started yet. */
    static PairServer of(String name, PairFiles files, Path logs) throws IOException {
        Path configuration = files.place(name).resolve("patroni.yml");
        Files.writeString(configuration, files.patroni(name));
        PairPrograms.own(configuration);
        return new PairServer(name, files, configuration, logs.resolve(name + ".log"));
    }

    String name() {
        return name;
    }

    Path configuration() {
        return configuration;
    }

    synchronized void start() throws IOException {
        patroni = TiedProcess.start(List.of(PairPrograms.PATRONI.toString(), configuration.toString()), Map.of(), log);
    }

    /** SIGKILL for Patroni and for every process of PostgreSQL, as when the machine loses power. */
    synchronized void kill() throws IOException {
        killPatroni();
        killPostgres();
    }

    /** Patroni alone: nobody looks after PostgreSQL any more, which goes on. */
    synchronized void killPatroni() {
        if (patroni != null) {
            patroni.kill();
        }
    }

    /** PostgreSQL alone: Patroni starts it again, or another takes over. */
    void killPostgres() throws IOException {
        try (Stream<String> lines = Files.lines(files.data(name).resolve("postmaster.pid"))) {
            long process =
                    lines.findFirst().map(line -> Long.parseLong(line.strip())).orElse(0L);
            ProcessHandle.of(process).filter(this::isOurs).ifPresent(postmaster -> {
                List<ProcessHandle> sessions = postmaster.children().toList();
                postmaster.destroyForcibly();
                sessions.forEach(ProcessHandle::destroyForcibly);
            });
        } catch (NoSuchFileException e) {
            // It doesn't work.
        }
    }

    /** A file that outlived its server may name somebody else's process. */
    private boolean isOurs(ProcessHandle process) {
        try {
            return Files.isSameFile(Path.of("/proc", Long.toString(process.pid()), "cwd"), files.data(name));
        } catch (IOException e) {
            return false;
        }
    }

    /** What this server's Patroni knows of the pair; nothing while it doesn't answer. */
    List<PairMember> members(HttpClient client) throws InterruptedException {
        URI address = URI.create("http://" + files.address(name) + ":" + LoopbackNetwork.PATRONI_PORT + "/cluster");
        try {
            byte[] answer = client.send(
                            HttpRequest.newBuilder(address).timeout(ANSWER).build(), BodyHandlers.ofByteArray())
                    .body();
            return JsonCursor.of(JsonParser.parse(answer))
                    .list(
                            "members",
                            member -> new PairMember(
                                    member.string("name"), member.string("role"), member.string("state")));
        } catch (IOException | JsonSyntaxException | JsonShapeException e) {
            return List.of();
        }
    }

    @Override
    public void close() throws IOException {
        kill();
    }
}
