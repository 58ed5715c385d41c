package dev.flowstone.server.e2e;

import dev.flowstone.sdk.worker.Worker;
import dev.flowstone.sdk.worker.WorkerConfig;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;

/**
 * A worker in a process of its own that never ends what it begins, to be killed. Arguments: the server's address, the
 * action, a file that appears once it has begun.
 */
final class BlockedWorker {
    private BlockedWorker() {}

    static Process launch(URI server, String action, Path begun) throws Exception {
        return new ProcessBuilder(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-Xmx128m",
                        "-XX:+UseSerialGC",
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        BlockedWorker.class.getName(),
                        server.toString(),
                        action,
                        begun.toString())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(
                        begun.resolveSibling("worker.log").toFile()))
                .start();
    }

    public static void main(String... arguments) throws Exception {
        Path begun = Path.of(arguments[2]);
        WorkerConfig config = WorkerConfig.of(URI.create(arguments[0]))
                .withLease(Duration.ofSeconds(2))
                .withConcurrency(4);
        Worker.of(config)
                .handleJson(arguments[1], (input, task) -> {
                    Files.writeString(begun, task.activation());
                    new CountDownLatch(1).await();
                    return input;
                })
                .start();
    }
}
