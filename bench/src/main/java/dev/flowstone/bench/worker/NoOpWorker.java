package dev.flowstone.bench.worker;

import dev.flowstone.sdk.worker.Worker;
import dev.flowstone.sdk.worker.WorkerConfig;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.util.Map;

/** Does nothing, for whoever asks, until its standard input ends: it stops by itself when its parent does, even by a kill. */
public final class NoOpWorker {
    private NoOpWorker() {}

    /** Takes the server's address, the tenant, the action that it does, and how many tasks it may hold. */
    public static void main(String[] args) throws IOException {
        WorkerConfig config = WorkerConfig.of(URI.create(args[0]))
                .withHeaders(Map.of("Flowstone-Tenant", args[1]))
                .withConcurrency(Integer.parseInt(args[3]));
        Worker worker =
                Worker.of(config).handleJson(args[2], (input, task) -> Map.of()).start();
        try {
            // Nothing is said to it; that the stream ends is the message.
            long _ = System.in.transferTo(OutputStream.nullOutputStream());
        } finally {
            worker.close();
        }
    }
}
