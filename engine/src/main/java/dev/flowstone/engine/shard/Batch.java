package dev.flowstone.engine.shard;

import dev.flowstone.engine.journal.InboxKey;
import dev.flowstone.engine.journal.ReceiptKey;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.SubjectKey;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.function.Predicate;

/** What one round decides: at most so many commands and bytes, gathered by run. */
final class Batch {
    private final int maxWorks;
    private final long maxBytes;
    private final Map<RunKey, Turn> turns = new LinkedHashMap<>();
    private final Set<ReceiptKey> receipts = new HashSet<>();
    private final Set<SubjectKey> subjects = new HashSet<>();
    private final List<Work> postponed = new ArrayList<>(0);
    private int works;
    private long bytes;

    private final Predicate<CommandWork> kept;

    /**
     * An empty one.
     *
     * @param kept takes a command whose run is checked out; it comes again when the run is back
     */
    Batch(int maxWorks, long maxBytes, Predicate<CommandWork> kept) {
        this.maxWorks = maxWorks;
        this.maxBytes = maxBytes;
        this.kept = kept;
    }

    /** How many more commands fit. */
    int room() {
        return bytes >= maxBytes ? 0 : Math.max(0, maxWorks - works);
    }

    /** How many bytes more it takes; it is one command too long at most. */
    long roomInBytes() {
        return Math.max(0, maxBytes - bytes);
    }

    /** Adds it, or postpones it to the next round because of what is in this one already. */
    void add(Work work) {
        if (work instanceof CommandWork command && kept.test(command)) {
            return;
        }
        RunKey key = key(work);
        Turn turn = turns.get(key);
        boolean apart = turn != null && (work.alone || turn.isAlone());
        if (apart || isRepeated(work)) {
            postponed.add(work);
            return;
        }
        if (turn == null) {
            turn = new Turn(key);
            turns.put(key, turn);
        }
        turn.waiting.add(work);
        if (work instanceof CommandWork command) {
            command.origin.inbox().ifPresent(turn.consumed::add);
        }
        works++;
        bytes += work.bytes();
    }

    /** A message that no command comes of is consumed in this round's commit. */
    void consume(RunKey run, InboxKey message) {
        turns.computeIfAbsent(run, Turn::new).consumed.add(message);
    }

    private static RunKey key(Work work) {
        return switch (work) {
            case StartWork start -> start.run();
            case CommandWork command -> command.run;
        };
    }

    /** Two requests under one key: the second one is judged when the first one's fate is known. */
    private boolean isRepeated(Work work) {
        boolean sameKey =
                work.receipt().isPresent() && !receipts.add(work.receipt().get());
        return sameKey || isAboutTheSame(work);
    }

    /** Two starts about one subject, likewise. */
    private boolean isAboutTheSame(Work work) {
        return work instanceof StartWork start
                && start.subject().isPresent()
                && !subjects.add(start.subject().get());
    }

    /** What starts are about. */
    Set<SubjectKey> subjects() {
        return subjects;
    }

    Collection<Turn> turns() {
        return turns.values();
    }

    Set<ReceiptKey> receipts() {
        return receipts;
    }

    List<Work> postponed() {
        return postponed;
    }

    boolean isEmpty() {
        return turns.isEmpty();
    }

    int size() {
        return works;
    }

    /** Every command of the batch, in order by run. */
    List<Work> works() {
        List<Work> all = new ArrayList<>(works);
        turns.values().forEach(turn -> all.addAll(turn.works()));
        return all;
    }
}
