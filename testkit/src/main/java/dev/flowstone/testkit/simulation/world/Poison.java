package dev.flowstone.testkit.simulation.world;

import dev.flowstone.engine.journal.Commit;
import dev.flowstone.engine.journal.RunMove;
import dev.flowstone.engine.journal.StoredPayload;
import dev.flowstone.kernel.event.JournalEntry;
import java.nio.charset.StandardCharsets;

/** A word that this database can't store, as PostgreSQL can't store a NUL in JSON: whatever holds it is refused. */
public final class Poison {
    /** The word. */
    public static final String WORD = "~unstorable~";

    private static final byte[] BYTES = WORD.getBytes(StandardCharsets.US_ASCII);

    private boolean used;

    /** From now on it may occur. */
    public void use() {
        used = true;
    }

    boolean isIn(Commit commit) {
        return used && commit.moves().stream().anyMatch(Poison::isIn);
    }

    private static boolean isIn(RunMove move) {
        for (JournalEntry entry : move.entries()) {
            if (isIn(entry.bytes())) {
                return true;
            }
        }
        for (StoredPayload payload : move.payloads()) {
            if (isIn(payload.bytes())) {
                return true;
            }
        }
        return false;
    }

    private static boolean isIn(byte[] bytes) {
        for (int i = 0; i + BYTES.length <= bytes.length; i++) {
            int match = 0;
            while (match < BYTES.length && bytes[i + match] == BYTES[match]) {
                match++;
            }
            if (match == BYTES.length) {
                return true;
            }
        }
        return false;
    }
}
