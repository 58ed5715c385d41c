package dev.flowstone.sdk.worker;

import static java.util.Objects.requireNonNull;

import dev.flowstone.sdk.http.Backoff;
import java.net.URI;
import java.time.Duration;
import java.util.List;
import java.util.Map;

/**
 * How a worker works.
 *
 * @param servers all nodes of a Flowstone: each hands out the tasks of its own runs
 * @param name for people; one that is this process's alone
 * @param concurrency handlers running at once, answers that nobody has acknowledged included; but as many again may wait
 *     for suspended runs
 * @param batch tasks in one claim
 * @param lease for how long it may be silent before its tasks are another's; whole seconds
 * @param poll for how long a claim waits for tasks; whole seconds
 * @param headers sent with each call, such as {@code Flowstone-Tenant}
 * @param backoff between tries while a server doesn't answer
 */
public record WorkerConfig(
        List<URI> servers,
        String name,
        int concurrency,
        int batch,
        Duration lease,
        Duration poll,
        Map<String, String> headers,
        Backoff backoff) {
    private static final int BATCH = 500;
    private static final Duration LEASE = Duration.ofSeconds(30);
    private static final Duration POLL = Duration.ofSeconds(20);
    private static final Duration LONGEST_LEASE = Duration.ofHours(1);
    private static final Duration LONGEST_POLL = Duration.ofMinutes(1);

    public WorkerConfig {
        servers = List.copyOf(servers);
        requireNonNull(name);
        requireNonNull(lease);
        requireNonNull(poll);
        headers = Map.copyOf(headers);
        requireNonNull(backoff);
        if (servers.isEmpty() || name.isBlank() || name.length() > 200 || concurrency < 1) {
            throw new IllegalArgumentException("a worker has a server, a name of 1 to 200 characters, and a place");
        }
        if (batch < 1 || batch > BATCH) {
            throw new IllegalArgumentException("a claim takes 1 to " + BATCH + " tasks");
        }
        if (lease.toSeconds() < 1 || lease.compareTo(LONGEST_LEASE) > 0) {
            throw new IllegalArgumentException("a lease is 1 second to 1 hour");
        }
        if (poll.toSeconds() < 1 || poll.compareTo(LONGEST_POLL) > 0) {
            throw new IllegalArgumentException("a claim waits for 1 to 60 seconds");
        }
    }

    /** The defaults: 64 handlers at once, a lease of 30 seconds. */
    public static WorkerConfig of(URI... servers) {
        String name = "worker-" + ProcessHandle.current().pid();
        return new WorkerConfig(List.of(servers), name, 64, BATCH, LEASE, POLL, Map.of(), Backoff.DEFAULT);
    }

    public WorkerConfig withName(String other) {
        return new WorkerConfig(servers, other, concurrency, batch, lease, poll, headers, backoff);
    }

    public WorkerConfig withConcurrency(int handlers) {
        return new WorkerConfig(servers, name, handlers, batch, lease, poll, headers, backoff);
    }

    public WorkerConfig withBatch(int tasks) {
        return new WorkerConfig(servers, name, concurrency, tasks, lease, poll, headers, backoff);
    }

    public WorkerConfig withLease(Duration silence) {
        return new WorkerConfig(servers, name, concurrency, batch, silence, poll, headers, backoff);
    }

    public WorkerConfig withPoll(Duration time) {
        return new WorkerConfig(servers, name, concurrency, batch, lease, time, headers, backoff);
    }

    public WorkerConfig withHeaders(Map<String, String> all) {
        return new WorkerConfig(servers, name, concurrency, batch, lease, poll, all, backoff);
    }

    public WorkerConfig withBackoff(Backoff pauses) {
        return new WorkerConfig(servers, name, concurrency, batch, lease, poll, headers, pauses);
    }
}
