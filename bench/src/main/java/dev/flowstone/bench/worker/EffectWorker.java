package dev.flowstone.bench.worker;

import dev.flowstone.sdk.worker.Task;
import dev.flowstone.sdk.worker.TaskFailure;
import dev.flowstone.sdk.worker.Worker;
import dev.flowstone.sdk.worker.WorkerConfig;
import java.io.IOException;
import java.io.OutputStream;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ThreadLocalRandom;
import java.util.stream.Stream;

/**
 * Has effects, undoes them, refuses, and takes webhooks, for whoever asks, until its standard input ends. Each takes up to 40 ms, some of it
 * before the effect and some after it, so that whatever happens may come between an effect and its answer.
 */
public final class EffectWorker {
    /** Has an effect. */
    public static final String EFFECT = "torture.effect";

    /** Has the opposite effect. */
    public static final String UNDO = "torture.undo";

    /** Fails for good. */
    public static final String REFUSE = "torture.refuse";

    /** What a run is named by, ends with this if its last effect can't be undone. */
    public static final String IRREVERSIBLE = "-irreversible";

    /** Signs webhooks that come here. */
    public static final String SECRET = "whsec_dG9ydHVyZS1vZi1yZWFsLXByb2Nlc3Nlcw==";

    private static final int LEDGERS_AND_PORT = 3;
    private static final int PAUSE_MILLIS = 20;
    private static final int AT_ONCE = 64;

    /** Shorter than usual: what is lost is made again soon. */
    private static final Duration LEASE = Duration.ofSeconds(10);

    private static final Duration POLL = Duration.ofSeconds(5);

    private EffectWorker() {}

    /** Takes the files of its ledgers, of effects and of messages, the port for webhooks, and the servers' addresses. */
    public static void main(String[] args) throws IOException {
        EffectReceiver receiver = EffectReceiver.of(Path.of(args[0]));
        URI[] servers = Stream.of(args).skip(LEDGERS_AND_PORT).map(URI::create).toArray(URI[]::new);
        WorkerConfig config = WorkerConfig.of(servers)
                .withConcurrency(AT_ONCE)
                .withLease(LEASE)
                .withPoll(POLL);
        Worker worker = Worker.of(config)
                .handleJson(EFFECT, (input, task) -> effect(receiver, task))
                .handleJson(UNDO, (input, task) -> {
                    if (input.path("name").asString().endsWith(IRREVERSIBLE)) {
                        throw TaskFailure.permanent("IRREVERSIBLE", "what was paid can't be taken back");
                    }
                    return effect(receiver, task);
                })
                .handleJson(REFUSE, (input, task) -> {
                    throw TaskFailure.permanent("REFUSED", "not this one");
                })
                .start();
        try (MessageReceiver _ = MessageReceiver.start(Path.of(args[1]), Integer.parseInt(args[2]), SECRET)) {
            // Nothing is said to it; that the stream ends is the message.
            long _ = System.in.transferTo(OutputStream.nullOutputStream());
        } finally {
            worker.close();
        }
    }

    private static Map<String, Object> effect(EffectReceiver receiver, Task task)
            throws IOException, InterruptedException {
        pause();
        receiver.receive(task);
        pause();
        return Map.of("attempt", task.attempt());
    }

    private static void pause() throws InterruptedException {
        Thread.sleep(ThreadLocalRandom.current().nextInt(PAUSE_MILLIS));
    }
}
