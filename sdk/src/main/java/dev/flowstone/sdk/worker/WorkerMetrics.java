package dev.flowstone.sdk.worker;

import java.util.List;

/** What a worker counts, now. Thread-safe; to read it delays nothing. */
public interface WorkerMetrics {
    /** Of the whole worker. */
    WorkerCounts counts();

    /** Of each action that it does, by name. */
    List<ActionCounts> actions();

    /**
     * All of it in the text format of Prometheus (version 0.0.4), for a page that is scraped: {@code flowstone_worker_…}, handlers by {@code
     * action}, times in seconds.
     */
    String prometheus();
}
