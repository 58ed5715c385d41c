package dev.flowstone.engine.shard;

import dev.flowstone.engine.journal.Journal;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.Letter;
import dev.flowstone.engine.journal.LetterKey;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.kernel.id.RunId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * The letters that a shard's runs have sent and that were not delivered yet. Of each pair of runs one letter is under way
 * at a time, so that none overtakes another (R21); one of which nothing is heard is sent again, which its receiver
 * notices. A letter is forgotten in the database after its receiver has decided it, by a commit that is due anyway or,
 * when there is none for a while, by one of its own. Belongs to its shard's loop, but for {@link #delivered}.
 *
 * <pre>
 *  commit ──sent──▶ waiting ──head of its pair──▶ under way ──receiver's commit──▶ delivered ──a commit──▶ forgotten
 *                                 ▲                   │ nothing heard
 *                                 └───────────────────┘
 * </pre>
 */
final class Mail {
    /** How long a letter may be under way before it is sent again. */
    static final Duration PATIENCE = Duration.ofSeconds(5);

    /** How long a delivered letter may wait for a commit that is due anyway. */
    static final Duration LINGER = Duration.ofMillis(250);

    private static final int PAGE = 1_000;
    private static final int FORGET_AT_ONCE = 2_000;

    private final Journal journal;
    private final ShardId shard;
    private final BiConsumer<Letter, Runnable> post;
    private final Runnable wake;
    private final Map<Pair, Deque<Letter>> waiting = new LinkedHashMap<>();
    private final Map<Pair, Instant> underWay = new HashMap<>();

    /** Pairs whose head may be sent; in the order in which they came to be so. */
    private final Set<Pair> sendable = new LinkedHashSet<>();

    private final Queue<LetterKey> heard = new ConcurrentLinkedQueue<>();
    private final Set<LetterKey> known = new HashSet<>();
    private final List<LetterKey> toForget = new ArrayList<>();
    private Optional<LetterKey> after = Optional.empty();
    private boolean recovered;
    private @Nullable Instant forgetBy;
    private Instant nextPatience = Instant.MAX;

    Mail(Journal journal, ShardId shard, BiConsumer<Letter, Runnable> post, Runnable wake) {
        this.journal = journal;
        this.shard = shard;
        this.post = post;
        this.wake = wake;
    }

    private record Pair(RunKey sender, RunId receiver) {
        static Pair of(LetterKey key) {
            return new Pair(new RunKey(key.tenant(), key.sender()), key.receiver());
        }
    }

    /**
     * Takes up one more page of what a predecessor left; false if there was none left. Until then nothing is sent: what its
     * runs say meanwhile would overtake what they had said before, which its receiver would then take for a repetition.
     */
    boolean recover() throws JournalException {
        List<Letter> page = journal.letters(shard, after, PAGE);
        page.forEach(this::sent);
        if (!page.isEmpty()) {
            after = Optional.of(page.getLast().key());
        }
        recovered = page.size() < PAGE;
        return !recovered;
    }

    /** A letter is stored, durably. */
    void sent(Letter letter) {
        if (!known.add(letter.key())) {
            return;
        }
        Pair pair = Pair.of(letter.key());
        Deque<Letter> letters = waiting.computeIfAbsent(pair, absent -> new ArrayDeque<>(2));
        boolean overtakes = !letters.isEmpty()
                && letters.getLast().key().number() > letter.key().number();
        letters.add(letter);
        if (overtakes && !recovered) {
            List<Letter> inOrder = new ArrayList<>(letters);
            inOrder.sort(Comparator.comparingLong(one -> one.key().number()));
            letters.clear();
            letters.addAll(inOrder);
        }
        if (!underWay.containsKey(pair)) {
            sendable.add(pair);
        }
    }

    /** The receiver has decided it, durably. Thread-safe. */
    private void delivered(LetterKey key) {
        heard.add(key);
        wake.run();
    }

    /** Sends what can be sent, and again what nothing was heard of. */
    void step(Instant now) {
        hear(now);
        if (!recovered) {
            return;
        }
        if (!now.isBefore(nextPatience)) {
            nextPatience = Instant.MAX;
            underWay.forEach((pair, until) -> {
                if (now.isBefore(until)) {
                    nextPatience = earlier(nextPatience, until);
                } else {
                    sendable.add(pair);
                }
            });
        }
        for (Pair pair : List.copyOf(sendable)) {
            Deque<Letter> letters = waiting.get(pair);
            Letter head = letters == null ? null : letters.peek();
            if (head != null) {
                Instant until = now.plus(PATIENCE);
                underWay.put(pair, until);
                nextPatience = earlier(nextPatience, until);
                post.accept(head, () -> delivered(head.key()));
            }
        }
        sendable.clear();
    }

    private void hear(Instant now) {
        for (LetterKey key = heard.poll(); key != null; key = heard.poll()) {
            Pair pair = Pair.of(key);
            Deque<Letter> letters = waiting.get(pair);
            Letter head = letters == null ? null : letters.peek();
            if (letters == null || head == null || !head.key().equals(key)) {
                continue;
            }
            letters.remove();
            underWay.remove(pair);
            if (letters.isEmpty()) {
                waiting.remove(pair);
            } else {
                sendable.add(pair);
            }
            toForget.add(key);
            if (forgetBy == null) {
                forgetBy = now.plus(LINGER);
            }
        }
    }

    /** What the next commit shall forget, sorted. */
    List<LetterKey> toForget() {
        List<LetterKey> keys = new ArrayList<>(toForget.subList(0, Math.min(toForget.size(), FORGET_AT_ONCE)));
        keys.sort(null);
        return keys;
    }

    /** Those are forgotten, durably. */
    void forgotten(List<LetterKey> keys) {
        if (keys.isEmpty()) {
            return;
        }
        keys.forEach(known::remove);
        toForget.removeIf(key -> !known.contains(key));
        forgetBy = toForget.isEmpty() ? null : forgetBy;
    }

    /** Whether it is time for a commit that only forgets. */
    boolean mustForget(Instant now) {
        return forgetBy != null && (!now.isBefore(forgetBy) || toForget.size() >= FORGET_AT_ONCE);
    }

    /** Whether there is something to do at once. */
    boolean hasMore(Instant now) {
        return !heard.isEmpty() || (recovered && !sendable.isEmpty()) || mustForget(now) || !now.isBefore(nextPatience);
    }

    /** Whether a receiver has decided a letter meanwhile. Thread-safe. */
    boolean isCalled() {
        return !heard.isEmpty();
    }

    /** When to step again at the latest. */
    Instant next() {
        return forgetBy == null ? nextPatience : earlier(nextPatience, forgetBy);
    }

    /** Letters that were not delivered yet. */
    int open() {
        return known.size() - toForget.size();
    }

    private static Instant earlier(Instant a, Instant b) {
        return a.isBefore(b) ? a : b;
    }
}
