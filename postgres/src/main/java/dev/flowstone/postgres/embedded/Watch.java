package dev.flowstone.postgres.embedded;

import java.io.IOException;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/**
 * Looks after a server's first process, which nobody else does: if it is killed, it is started again on the same port, so
 * that whoever lost a connection finds the next one. PostgreSQL itself replaces its other processes.
 */
final class Watch implements Runnable {
    private static final System.Logger LOG = System.getLogger(Watch.class.getName());
    private static final long EVERY_MILLIS = 250;

    private final Server server;
    private final CountDownLatch ended = new CountDownLatch(1);
    private final Thread thread;
    private volatile RunningServer running;

    private Watch(Server server, RunningServer running) {
        this.server = server;
        this.running = running;
        this.thread =
                Thread.ofPlatform().daemon().name("flowstone-postgres-watch").unstarted(this);
    }

    static Watch over(Server server, RunningServer running) {
        Watch watch = new Watch(server, running);
        watch.thread.start();
        return watch;
    }

    RunningServer running() {
        return running;
    }

    @Override
    public void run() {
        try {
            while (!ended.await(EVERY_MILLIS, TimeUnit.MILLISECONDS)) {
                if (!server.isAlive(running)) {
                    restart();
                }
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private void restart() {
        LOG.log(System.Logger.Level.WARNING, "the embedded PostgreSQL died and is started again");
        try {
            running = server.restart(running.port());
        } catch (IOException | EmbeddedPostgresException e) {
            LOG.log(
                    System.Logger.Level.ERROR,
                    "the embedded PostgreSQL died and does not start; trying again: " + e.getMessage());
        }
    }

    /** Returns when no restart is under way any more. */
    void end() {
        ended.countDown();
        boolean interrupted = false;
        while (true) {
            try {
                thread.join();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) {
            Thread.currentThread().interrupt();
        }
    }
}
