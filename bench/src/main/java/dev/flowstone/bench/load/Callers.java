package dev.flowstone.bench.load;

import static java.util.Objects.requireNonNull;

import dev.flowstone.bench.caller.RestCaller;
import dev.flowstone.bench.rig.JavaProcess;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.LongAdder;
import java.util.stream.Collectors;
import org.HdrHistogram.Histogram;
import org.HdrHistogram.Recorder;

/** Callers over HTTP, in a process of their own; what they tell is counted here. They end when this is closed. */
public final class Callers implements AutoCloseable {
    private static final Duration LAST_ANSWERS = Duration.ofSeconds(90);
    private static final int MEGABYTES = 256;

    private final JavaProcess process;
    private final Path file;
    private final int accepted;
    private final Listener listener;
    private final Recorder calls = new Recorder(LoadMeter.LONGEST_MICROS, 3);
    private final LongAdder done = new LongAdder();
    private final Map<String, LongAdder> refused = new ConcurrentHashMap<>();
    private final CompletableFuture<long[]> end = new CompletableFuture<>();

    /**
     * A call.
     *
     * @param headers each with its name
     */
    public record Request(String path, List<String> headers, String body) {
        public Request {
            requireNonNull(path);
            headers = List.copyOf(headers);
            requireNonNull(body);
        }
    }

    /**
     * How many call, and how.
     *
     * @param connections at once
     * @param perSecond calls to offer; 0: each connection calls again when it is answered
     * @param unanswered calls of one connection
     */
    public record Shape(int connections, double perSecond, int unanswered) {
        public static Shape closed(int callers) {
            return new Shape(callers, 0, 1);
        }
    }

    /** Is told of each call that was accepted, on a thread of its own. */
    @FunctionalInterface
    public interface Listener {
        /** The number of the call, and when it was begun, in microseconds of the epoch. */
        void accepted(int number, long begunMicros);
    }

    private Callers(JavaProcess process, Path file, int accepted, Listener listener) {
        this.process = process;
        this.file = file;
        this.accepted = accepted;
        this.listener = listener;
    }

    /** Starts them, as below, and lets them make every call. */
    public static Callers start(int port, Shape shape, List<Request> requests, int accepted, Listener listener)
            throws IOException {
        return start(port, shape, requests, Integer.MAX_VALUE, accepted, listener);
    }

    /**
     * Starts them.
     *
     * @param requests one that is repeated for ever, or each to be made until it is accepted
     * @param first so many calls are made, the others once {@link #goOn} says so
     * @param accepted the status that says so
     */
    public static Callers start(
            int port, Shape shape, List<Request> requests, int first, int accepted, Listener listener)
            throws IOException {
        Path file = Files.createTempFile("flowstone-calls", ".txt");
        Files.writeString(
                file,
                requests.stream()
                        .map(call -> call.path() + "\t" + String.join("|", call.headers()) + "\t" + call.body() + "\n")
                        .collect(Collectors.joining()));
        JavaProcess process = JavaProcess.start(
                "caller",
                MEGABYTES,
                LAST_ANSWERS,
                RestCaller.class,
                Integer.toString(port),
                Integer.toString(shape.connections()),
                Double.toString(shape.perSecond()),
                Integer.toString(shape.unanswered()),
                file.toString(),
                Integer.toString(first));
        Callers callers = new Callers(process, file, accepted, listener);
        Thread.ofPlatform().name("bench-callers").start(callers::listen);
        return callers;
    }

    private void listen() {
        try (BufferedReader lines = process.lines()) {
            for (String line = lines.readLine(); line != null; line = lines.readLine()) {
                String[] words = line.split(" ", -1);
                if (words[0].equals("end")) {
                    end.complete(new long[] {Long.parseLong(words[1]), Long.parseLong(words[2])});
                } else {
                    answered(words);
                }
            }
            end.completeExceptionally(new IllegalStateException("the callers ended without a last word"));
        } catch (IOException | RuntimeException e) {
            end.completeExceptionally(e);
        }
    }

    private void answered(String[] words) {
        if (Integer.parseInt(words[3]) == accepted) {
            calls.recordValue(Math.min(LoadMeter.LONGEST_MICROS, Long.parseLong(words[2])));
            listener.accepted(Integer.parseInt(words[0]), Long.parseLong(words[1]));
            done.increment();
        } else {
            refused.computeIfAbsent(words[3] + " " + words[4], _ -> new LongAdder())
                    .increment();
        }
    }

    /** Calls that were accepted, ever. */
    public long accepted() {
        return done.sum();
    }

    /** Those that were not, ever, by status and code; status 0 of those of which nobody knows. */
    public Map<String, Long> refused() {
        Map<String, Long> counts = new TreeMap<>();
        refused.forEach((why, count) -> counts.put(why, count.sum()));
        return counts;
    }

    /** How many were told to come again, ever. */
    public long busy() {
        return refused().entrySet().stream()
                .filter(it -> it.getKey().startsWith("503 ") || it.getKey().startsWith("429 "))
                .mapToLong(Map.Entry::getValue)
                .sum();
    }

    /** Fails if one was refused in another way, or got no answer. */
    public void requireSound() throws IOException {
        if (!end.isDone()) {
            process.requireAlive();
        }
        if (refused().values().stream().mapToLong(Long::longValue).sum() > busy()) {
            throw new IllegalStateException("calls were refused: " + refused());
        }
    }

    /** How long those took that were accepted since the last reading, in microseconds. */
    public Histogram read() {
        return calls.getIntervalHistogram();
    }

    /** Whether they have ended by themselves: nothing was left to call for. */
    public boolean isOver() {
        return end.isDone();
    }

    /** Lets them make all calls. */
    public void goOn() {
        process.nod();
    }

    /** Processor time that their process has taken. */
    public Duration cpu() {
        return process.cpu();
    }

    /**
     * What was offered and what of it was sent.
     *
     * @param sent what no connection could take was not
     */
    public record Sent(long offered, long sent) {}

    /** Lets them wait for the last answers, and ends them. */
    public Sent end() {
        process.ask();
        try {
            long[] counts = end.join();
            return new Sent(counts[0], counts[1]);
        } catch (CompletionException e) {
            throw new IllegalStateException("the callers failed", e.getCause());
        }
    }

    @Override
    public void close() throws IOException {
        try {
            process.close();
        } finally {
            Files.deleteIfExists(file);
        }
    }
}
