package dev.flowstone.engine.task;

import java.util.concurrent.Executor;
import java.util.concurrent.ThreadFactory;

/**
 * A virtual thread for each handler. What starts many of them does so best on such a thread itself: from outside, each start would
 * wake one of the few platform threads that run virtual ones, which would be done with it, and go to sleep, before the next.
 */
public final class VirtualThreads implements Executor {
    private final ThreadFactory threads = Thread.ofVirtual().name("handler-", 0).factory();

    @Override
    public void execute(Runnable task) {
        threads.newThread(task).start();
    }
}
