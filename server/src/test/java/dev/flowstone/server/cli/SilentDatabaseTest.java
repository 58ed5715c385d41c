package dev.flowstone.server.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.bench.rig.FreePort;
import dev.flowstone.bench.torture.net.FaultProxy;
import dev.flowstone.postgres.PostgresConfig;
import dev.flowstone.postgres.embedded.EmbeddedConfig;
import dev.flowstone.postgres.embedded.EmbeddedPostgres;
import dev.flowstone.server.cli.Cli.Running;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** What callers of a server notice whose database goes without a word. */
final class SilentDatabaseTest {
    /** Half of it by design; without a limit of its own a call took all of a connection's minute. */
    private static final Duration SOON = Duration.ofSeconds(45);

    private static final int CALLERS = 4;

    @TempDir
    private Path folder = Path.of("");

    private final HttpClient client = HttpClient.newHttpClient();

    private int status(int http) throws IOException, InterruptedException {
        return client.send(
                        HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + http + "/api/v1/workflows"))
                                .build(),
                        BodyHandlers.ofString())
                .statusCode();
    }

    /** How long the calls took that were not answered: the one under way, and one that came when that had ended. */
    private List<Duration> untilTwoFail(int http, CountDownLatch answered) throws IOException, InterruptedException {
        List<Duration> failed = new ArrayList<>();
        while (failed.size() < 2) {
            long begun = System.nanoTime();
            int status = status(http);
            if (status != 200) {
                assertEquals(503, status);
                failed.add(Duration.ofNanos(System.nanoTime() - begun));
            }
            answered.countDown();
        }
        return failed;
    }

    @Test
    void callsUnderWayEndSoonAndTheConnectionsAreFreeForThoseThatCome() throws Exception {
        try (EmbeddedPostgres server = EmbeddedPostgres.start(EmbeddedConfig.in(folder.resolve("data")));
                FaultProxy proxy = FaultProxy.to(
                        URI.create(server.jdbcUrl().substring("jdbc:".length())).getPort());
                ExecutorService callers = Executors.newVirtualThreadPerTaskExecutor()) {
            PostgresConfig config = server.config();
            int http = FreePort.next();
            try (Running node = Running.start(
                    "serve",
                    "--port",
                    Integer.toString(http),
                    "--db",
                    config.url().replaceFirst(":\\d+/", ":" + proxy.port() + "/"),
                    "--set",
                    "database.user=" + config.admin().user(),
                    "--set",
                    "database.password=" + config.admin().password(),
                    "--set",
                    "database.apiConnections=2")) {
                node.lineWith("Flowstone is ready");
                CountDownLatch answered = new CountDownLatch(20 * CALLERS);
                List<CompletableFuture<List<Duration>>> failing = new ArrayList<>();
                for (int i = 0; i < CALLERS; i++) {
                    CompletableFuture<List<Duration>> failed = new CompletableFuture<>();
                    failing.add(failed);
                    callers.execute(() -> {
                        try {
                            failed.complete(untilTwoFail(http, answered));
                        } catch (IOException | InterruptedException | AssertionError e) {
                            failed.completeExceptionally(e);
                        }
                    });
                }
                assertTrue(answered.await(60, TimeUnit.SECONDS), "all are answered");

                proxy.standStill();

                for (CompletableFuture<List<Duration>> failed : failing) {
                    List<Duration> took = failed.get(180, TimeUnit.SECONDS);
                    assertTrue(took.stream().allMatch(it -> it.compareTo(SOON) < 0), took::toString);
                }
                proxy.clear();
                long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
                while (status(http) != 200) {
                    assertTrue(System.nanoTime() < end, "it is answered again");
                }
            }
        }
    }
}
