package dev.flowstone.sdk.worker;

import static java.util.Objects.requireNonNull;

import dev.flowstone.sdk.http.Server;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.LongAdder;
import tools.jackson.core.type.TypeReference;
import tools.jackson.databind.DeserializationFeature;
import tools.jackson.databind.JavaType;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/**
 * Does tasks of runs that live elsewhere, each attempt in one worker's hands at a time, at least once. Comes back by itself
 * after its servers were away. Thread-safe.
 */
public final class Worker implements AutoCloseable {
    private static final System.Logger LOG = System.getLogger(Worker.class.getName());
    private static final Duration GRACE = Duration.ofSeconds(10);
    private static final Duration LAST_WORDS = Duration.ofSeconds(5);
    private static final Duration BETWEEN_GOODBYES = Duration.ofMillis(200);
    private static final int SENDERS = 2;

    private final JsonMapper json;
    private final WorkerConfig config;
    private final Registry registry;
    private final List<Server> servers;
    private final Slots slots;
    private final Meter meter;
    private final Completions completions;
    private final Set<Held> held = ConcurrentHashMap.newKeySet();
    private final Stop claiming = new Stop();
    private final Stop beating = new Stop();
    private final List<Thread> claimers = new ArrayList<>();
    private final List<Thread> others = new ArrayList<>();
    private final AtomicBoolean stopping = new AtomicBoolean();
    private final CompletableFuture<Stopped> stopped = new CompletableFuture<>();
    private final LongAdder worked = new LongAdder();
    private final LongAdder failed = new LongAdder();
    private final LongAdder heard = new LongAdder();
    private final LongAdder unwanted = new LongAdder();
    private final LongAdder returned = new LongAdder();

    private Worker(WorkerConfig config, Registry registry, JsonMapper json) {
        this.config = config;
        this.registry = registry;
        this.json = json;
        this.servers = config.servers().stream()
                .map(base -> new Server(base, config.headers(), json))
                .toList();
        this.slots = new Slots(config.concurrency());
        this.meter = new Meter(registry.actions(), this::counts);
        this.completions = new Completions(servers, json, config.backoff(), new Ledger());
    }

    /** Begins with a worker that can do nothing yet. */
    public static Builder of(WorkerConfig config) {
        return new Builder(config);
    }

    /** What a worker can do. */
    public static final class Builder {
        private final WorkerConfig config;
        private final Registry registry = new Registry();
        private JsonMapper json = JsonMapper.builder()
                .enable(DeserializationFeature.USE_BIG_DECIMAL_FOR_FLOATS)
                .build();

        private Builder(WorkerConfig config) {
            this.config = requireNonNull(config);
        }

        /** How JSON becomes inputs, and outputs JSON. */
        public Builder json(JsonMapper mapper) {
            json = requireNonNull(mapper);
            return this;
        }

        /** Does tasks of this action, whose input is such a record. One that isn't fails for good: {@code INPUT_MISMATCH} says where. */
        public <I> Builder handle(String action, Class<I> input, TaskHandler<I, ?> handler) {
            return add(action, json.constructType(input), requireNonNull(handler));
        }

        /** The same for a handler that needs nothing but the input. */
        public <I> Builder handle(String action, Class<I> input, PlainHandler<I, ?> handler) {
            requireNonNull(handler);
            return this.<I>add(action, json.constructType(input), (read, _) -> handler.handle(read));
        }

        /** The same for a generic type. */
        public <I> Builder handle(String action, TypeReference<I> input, TaskHandler<I, ?> handler) {
            return add(action, json.constructType(input), requireNonNull(handler));
        }

        /** Does tasks of this action on JSON as it is. */
        public Builder handleJson(String action, TaskHandler<JsonNode, ?> handler) {
            registry.add(action, (input, task, _) -> handler.handle(input, task));
            return this;
        }

        /**
         * Does tasks of all actions that methods of this object are marked with.
         *
         * @throws IllegalArgumentException if none is, or one can't be called or bound
         */
        public Builder handleAll(Object annotated) {
            AnnotatedHandler.addAll(annotated, json, registry);
            return this;
        }

        private <I> Builder add(String action, JavaType type, TaskHandler<I, ?> handler) {
            registry.add(action, (input, task, mapper) -> {
                @SuppressWarnings("unchecked") // Jackson makes what the type says.
                I read = (I) Inputs.read("the input", input, type, mapper);
                return handler.handle(read, task);
            });
            return this;
        }

        /** Starts it; its servers need not be there yet. */
        public Worker start() {
            if (registry.actions().isEmpty()) {
                throw new IllegalStateException("a worker does at least one action");
            }
            Worker worker = new Worker(config, registry, json);
            worker.begin();
            return worker;
        }
    }

    private void begin() {
        for (Server server : servers) {
            claimers.add(thread(
                    "claims", new ClaimLoop(server, config, registry.actions(), json, slots, claiming, this::begin)));
            others.add(thread("heart", new Heart(server, config.lease(), json, this::all, beating)));
            for (int i = 0; i < SENDERS; i++) {
                others.add(thread("answers", () -> completions.send(server)));
            }
        }
    }

    /** Keeps the process alive, as a worker's main thread usually has nothing to do. */
    private Thread thread(String what, Runnable body) {
        return Thread.ofPlatform()
                .name("flowstone-" + config.name() + "-" + what)
                .start(body);
    }

    private Collection<Held> all() {
        return held;
    }

    private void begin(Held task) {
        held.add(task);
        Thread.ofVirtual()
                .name("task-" + task.offer.action())
                .start(new Execution(task, registry, json, meter, this::ended));
    }

    private void ended(Held task, boolean success, byte[] answer) {
        (success ? worked : failed).increment();
        if (task.isGone() && !success) {
            // It has been answered for; only a success is still news.
            forget(task);
            unwanted.increment();
            return;
        }
        completions.add(task, success, answer);
    }

    /** What becomes of the places of attempts. */
    private final class Ledger implements Completions.Told {
        @Override
        public void told(Held task, Completions.Verdict verdict) {
            switch (verdict) {
                case HEARD -> heard.increment();
                case UNWANTED -> unwanted.increment();
            }
            forget(task);
        }

        @Override
        public void kept(Held task) {
            if (!task.hasLent() && slots.lend()) {
                task.lends();
            }
        }
    }

    private void forget(Held task) {
        if (held.remove(task)) {
            if (task.hasLent()) {
                slots.endLoan();
            } else {
                slots.release(1);
            }
        }
    }

    /** What it has done so far. */
    public WorkerCounts counts() {
        return new WorkerCounts(held.size(), worked.sum(), failed.sum(), heard.sum(), unwanted.sum(), returned.sum());
    }

    /** What it counts, of each action too. */
    public WorkerMetrics metrics() {
        return meter;
    }

    /**
     * Stops in good order: claims nothing more, lets handlers finish within the grace, interrupts those that don't and gives
     * their attempts back unused, tells what came of the others. Takes the grace, and a few seconds for each server that doesn't answer.
     * Who asks again waits for the same.
     */
    public Stopped stop(Duration grace) {
        if (stopping.compareAndSet(false, true)) {
            stopped.complete(stopOnce(grace));
        }
        return stopped.join();
    }

    private Stopped stopOnce(Duration grace) {
        long end = System.nanoTime() + grace.toNanos();
        Farewell farewell = new Farewell(servers, config.name(), json);
        List<Stopped.Left> left = List.of();
        try {
            slots.close();
            claiming.ask();
            awaitClaimers(farewell, Math.max(end, System.nanoTime() + Farewell.PATIENCE.toNanos()));
            awaitHandlers(end);
            left = giveBack(farewell);
            if (!completions.awaitTold(Math.max(end - System.nanoTime(), LAST_WORDS.toNanos()))) {
                LOG.log(Level.WARNING, "some answers could not be told; their tasks will count as lost");
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        } finally {
            completions.close();
            beating.ask();
            others.forEach(Thread::interrupt);
            claimers.forEach(Thread::interrupt);
            servers.forEach(Server::close);
        }
        return new Stopped(left, held.size());
    }

    /**
     * Their claims come back at once; those of a server that doesn't answer are given up. A claim that was on its way when the server
     * heard the first goodbye waits there, and would be handed what is given back: hence another one, until all are back.
     */
    private void awaitClaimers(Farewell farewell, long end) throws InterruptedException {
        do {
            farewell.leave();
        } while (!areBack(System.nanoTime() + BETWEEN_GOODBYES.toNanos()) && System.nanoTime() < end);
        claimers.forEach(Thread::interrupt);
    }

    private boolean areBack(long end) throws InterruptedException {
        for (Thread claimer : claimers) {
            if (!claimer.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())))) {
                return false;
            }
        }
        return true;
    }

    private void awaitHandlers(long end) throws InterruptedException {
        while (running() > 0 && end - System.nanoTime() > 0) {
            boolean _ = beating.await(Duration.ofMillis(10));
        }
    }

    private long running() {
        return held.stream().filter(Held::isRunning).count();
    }

    private List<Stopped.Left> giveBack(Farewell farewell) throws InterruptedException {
        List<Held> left = held.stream().filter(Held::interruptForGood).toList();
        List<Stopped.Left> told = farewell.giveBack(left);
        left.forEach(this::forget);
        returned.add(left.size());
        return told;
    }

    /** Stops with a grace of ten seconds. */
    @Override
    public void close() {
        Stopped _ = stop(GRACE);
    }
}
