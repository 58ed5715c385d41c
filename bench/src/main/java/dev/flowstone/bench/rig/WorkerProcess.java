package dev.flowstone.bench.rig;

import dev.flowstone.bench.worker.NoOpWorker;
import java.io.IOException;
import java.time.Duration;

/** A worker in a JVM of its own. It ends when this is closed, and when this process does. */
public final class WorkerProcess implements AutoCloseable {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final int MEGABYTES = 512;

    private final JavaProcess process;

    private WorkerProcess(JavaProcess process) {
        this.process = process;
    }

    /**
     * Starts one; the first task waits until it is there.
     *
     * @param port of the server, on the loopback interface
     * @param places tasks that it holds at once, until it has heard that they are recorded
     */
    public static WorkerProcess start(int port, int places) throws IOException {
        JavaProcess process = JavaProcess.start(
                "worker",
                MEGABYTES,
                PATIENCE,
                NoOpWorker.class,
                "http://127.0.0.1:" + port,
                Rig.TENANT.value(),
                NoOps.REMOTE_ACTION,
                Integer.toString(places));
        process.discardLines();
        return new WorkerProcess(process);
    }

    /** Fails, with its last words, if it has ended before it was asked to. */
    public void requireAlive() throws IOException {
        process.requireAlive();
    }

    @Override
    public void close() throws IOException {
        process.close();
    }
}
