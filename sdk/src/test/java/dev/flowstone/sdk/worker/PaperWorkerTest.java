package dev.flowstone.sdk.worker;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.sdk.http.Backoff;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.function.BooleanSupplier;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterEach;
import tools.jackson.databind.JsonNode;

/** A worker before a server on paper, whose answers a test writes. */
abstract class PaperWorkerTest {
    final PaperServer server;

    PaperWorkerTest() throws IOException {
        server = new PaperServer();
    }

    @AfterEach
    void close() {
        server.close();
    }

    WorkerConfig config() {
        return WorkerConfig.of(server.address())
                .withName("paper")
                .withLease(Duration.ofSeconds(1))
                .withBackoff(new Backoff(Duration.ofMillis(5), Duration.ofMillis(20)));
    }

    Worker.Builder echo() {
        return Worker.of(config()).handleJson("echo", (input, task) -> input);
    }

    static void until(String what, BooleanSupplier holds) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!holds.getAsBoolean()) {
            assertTrue(System.nanoTime() < end, what);
            LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(1));
        }
    }

    JsonNode only() {
        List<JsonNode> said = server.said("complete");
        assertEquals(1, said.size(), said::toString);
        return said.getFirst();
    }

    void answers(int status, String body) {
        server.completions.add(new PaperServer.Answer(status, body));
    }

    static String tasks(int from, int to) {
        return IntStream.range(from, to)
                .mapToObj(i -> PaperServer.task("echo", i, String.valueOf(i)))
                .collect(Collectors.joining(","));
    }
}
