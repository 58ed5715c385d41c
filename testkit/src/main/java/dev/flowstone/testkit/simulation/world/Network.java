package dev.flowstone.testkit.simulation.world;

import dev.flowstone.engine.effect.Inbox;
import dev.flowstone.engine.journal.InboxMessage;
import dev.flowstone.engine.journal.JournalException;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;

/** Messages on their way to the inbox. */
public final class Network {
    private final Inbox inbox;
    private final List<Letter> letters = new ArrayList<>();

    Network(Inbox inbox) {
        this.inbox = inbox;
    }

    private record Letter(InboxMessage message, Instant due) {}

    public void send(InboxMessage message, Instant due) {
        letters.add(new Letter(message, due));
    }

    public boolean isEmpty() {
        return letters.isEmpty();
    }

    public int size() {
        return letters.size();
    }

    /** The same message once more, at the same time. */
    public void duplicate(int index) {
        letters.add(letters.get(index));
    }

    public void delay(int index, Duration by) {
        Letter letter = letters.get(index);
        letters.set(index, new Letter(letter.message, letter.due.plus(by)));
    }

    /** The last message that was sent arrives first, and so on. */
    public void reorder() {
        List<Instant> times = letters.stream().map(Letter::due).sorted().toList();
        Collections.reverse(letters);
        for (int i = 0; i < letters.size(); i++) {
            letters.set(i, new Letter(letters.get(i).message, times.get(i)));
        }
    }

    /** When the next one arrives. */
    Instant next() {
        Instant next = Instant.MAX;
        for (Letter letter : letters) {
            next = letter.due.isBefore(next) ? letter.due : next;
        }
        return next;
    }

    /** Leaves one message that is due in the inbox; false if none is. */
    boolean deliver(Instant now) {
        int first = -1;
        for (int i = 0; i < letters.size(); i++) {
            Instant due = letters.get(i).due;
            if (!due.isAfter(now) && (first < 0 || due.isBefore(letters.get(first).due))) {
                first = i;
            }
        }
        if (first < 0) {
            return false;
        }
        try {
            inbox.accept(letters.remove(first).message);
        } catch (JournalException e) {
            throw new IllegalStateException("the inbox in memory refused a message", e);
        }
        return true;
    }
}
