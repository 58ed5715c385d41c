package dev.flowstone.bench.worker;

import dev.flowstone.sdk.worker.Task;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.Set;

/**
 * The other side of effects, as a good one is: it drops what comes again under the same key, and has written down on disk what it
 * did before it says so. Each line of its ledger is {@code millis key run activation attempt applied|repeated}.
 */
final class EffectReceiver {
    private static final int KEY = 1;

    private final FileOutputStream ledger;
    private final Set<String> known;

    private EffectReceiver(FileOutputStream ledger, Set<String> known) {
        this.ledger = ledger;
        this.known = known;
    }

    /** Goes on with a ledger that is there. */
    static EffectReceiver of(Path file) throws IOException {
        Set<String> known = new HashSet<>();
        if (Files.exists(file)) {
            for (String line : Files.readAllLines(file)) {
                known.add(line.split(" ", -1)[KEY]);
            }
        }
        return new EffectReceiver(new FileOutputStream(file.toFile(), true), known);
    }

    synchronized void receive(Task task) throws IOException {
        boolean first = known.add(task.key());
        String line = System.currentTimeMillis() + " " + task.key() + " " + task.executionId() + " " + task.activation()
                + " " + task.attempt() + " " + (first ? "applied" : "repeated") + "\n";
        ledger.write(line.getBytes(StandardCharsets.UTF_8));
        ledger.getFD().sync();
    }
}
