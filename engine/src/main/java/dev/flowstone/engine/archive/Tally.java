package dev.flowstone.engine.archive;

import dev.flowstone.kernel.id.Sha256;
import java.security.MessageDigest;

/** Counts lines and hashes them, alike when they are written and when they are read. */
final class Tally {
    private final MessageDigest content = Sha256.newDigest();
    private final Anchor anchor = new Anchor();
    private long runs;
    private long entries;
    private long events;
    private long programs;
    private long payloads;

    /** A line before the last one, and its bytes without the line feed. */
    void add(ArchiveLine line, byte[] bytes) {
        content.update(bytes);
        content.update((byte) '\n');
        switch (line) {
            case ArchiveLine.Item item when item.kind() == ArchiveLine.Kind.PROGRAM -> programs++;
            case ArchiveLine.Item _ -> payloads++;
            case ArchiveLine.Run run -> {
                runs++;
                anchor.add(run.head());
            }
            case ArchiveLine.Entry entry -> {
                entries++;
                events += entry.stored().lastSequence() - entry.stored().firstSequence() + 1;
            }
            case ArchiveLine.Opening _, ArchiveLine.Closing _ -> {}
        }
    }

    long runs() {
        return runs;
    }

    long events() {
        return events;
    }

    /** Of all lines that were added; call it once. */
    ArchiveTotals end() {
        return new ArchiveTotals(runs, entries, events, programs, payloads, anchor.end(), Sha256.of(content));
    }
}
