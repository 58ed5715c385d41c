package dev.flowstone.engine.shard;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.LetterKey;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.RunMove;
import dev.flowstone.engine.journal.StoredRun;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.engine.log.LogContext;
import dev.flowstone.kernel.state.RunState;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/**
 * One round's way from its batch to what is settled: load, decide, make moves, commit, settle. What could not be settled
 * is put back in order: losers after their state was dropped, refused data apart from its neighbours, everything as it was
 * when the database can't be reached. A commit of which nobody knows the outcome is kept until {@link #verify} has read it.
 */
final class Rounds {
    private static final System.Logger LOG = System.getLogger(Rounds.class.getName());

    private final ShardId shard;
    private final ShardParts parts;
    private final StateCache cache;
    private final Loader loader;
    private final Decider decider;
    private final Moves moves;
    private final Committer committer;
    private final Settler settler;
    private final Mail mail;
    private final ArrayDeque<Work> redo;
    private final DecidingTime deciding;
    private List<Turn> unknown = List.of();
    private List<Work> inHand = List.of();

    Rounds(
            ShardId shard,
            ShardParts parts,
            StateCache cache,
            Loader loader,
            Decider decider,
            Committer committer,
            Settler settler,
            Mail mail,
            ArrayDeque<Work> redo) {
        this.shard = shard;
        this.parts = parts;
        this.cache = cache;
        this.loader = loader;
        this.decider = decider;
        this.moves = new Moves(parts.config());
        this.committer = committer;
        this.settler = settler;
        this.mail = mail;
        this.redo = redo;
        this.deciding = new DecidingTime(parts.clock());
    }

    /** Whether a commit's outcome must be read before anything else. */
    boolean mustVerify() {
        return !unknown.isEmpty();
    }

    /** Whether decisions of one batch have taken so long, or longer, and go on. Thread-safe. */
    boolean isDecidingFor(Duration bound) {
        return deciding.isAtLeast(bound);
    }

    /** Every command that is neither settled nor back in a queue. */
    List<Work> unsettled() {
        List<Work> works = new ArrayList<>(inHand);
        unknown.forEach(turn -> works.addAll(turn.works()));
        return works;
    }

    /**
     * Decides a batch.
     *
     * @throws JournalException.Unavailable if it waits for the database
     */
    void decide(Batch batch) throws JournalException {
        inHand = Stream.concat(batch.works().stream(), batch.postponed().stream())
                .toList();
        List<Turn> turns;
        List<Work> left = new ArrayList<>(0);
        List<RunState> loaded = new ArrayList<>(0);
        try {
            loader.load(batch, loaded::add);
            reconcile(loaded);
            turns = sorted(batch.turns());
            deciding.begin();
            decider.decide(turns, left, deciding);
        } catch (JournalException e) {
            loaded.forEach(state -> cache.evict(key(state)));
            batch.turns().forEach(settler::release);
            again(left);
            again(batch.works());
            redo.addAll(batch.postponed());
            inHand = List.of();
            throw e;
        } finally {
            deciding.end();
        }
        redo.addAll(left);
        redo.addAll(batch.postponed());
        List<Work> apart = new ArrayList<>(0);
        prepare(turns, apart);
        List<LetterKey> delivered = mail.toForget();
        settler.start(); // what was handed out so far doesn't wait for the commit
        Instant before = parts.clock().now();
        Committer.Result result = committer.commit(turns, delivered);
        Duration took = Duration.between(before, parts.clock().now());
        if (result.forgotten) {
            mail.forgotten(delivered);
        }
        conclude(result, apart);
        observed(took, result.stored);
        inHand = List.of();
        parts.observer().round(shard, batch.size() - left.size(), result.stored.size());
        if (!result.untried.isEmpty() || !result.unknown.isEmpty()) {
            throw new JournalException.Unavailable("the batch waits");
        }
    }

    /** What the journal tells of and nobody here has acted upon is left to whoever took the shard over, if somebody did. */
    private void reconcile(List<RunState> loaded) throws JournalException {
        if (loaded.stream().anyMatch(state -> settler.handsOut(state, key(state)))) {
            committer.confirm();
        }
        loaded.forEach(state -> settler.reconcile(state, key(state)));
        settler.start(); // right now, while the lease is known to be held
    }

    private static RunKey key(RunState state) {
        return new RunKey(state.tenant(), state.run());
    }

    /** Makes the moves; a turn of which none can be made is taken apart. */
    private void prepare(List<Turn> turns, List<Work> apart) {
        turns.removeIf(turn -> {
            try {
                turn.move = turn.entries.isEmpty() ? null : moves.of(turn);
                return false;
            } catch (RuntimeException | StackOverflowError e) {
                LogContext.about(turn.key, () -> LOG.log(Level.ERROR, "no move can be made for run " + turn.key, e));
                settler.release(turn);
                settler.refused(turn, e.toString(), apart);
                return true;
            }
        });
    }

    private void conclude(Committer.Result result, List<Work> apart) {
        result.stored.forEach(settler::settle);
        List<Work> lost = new ArrayList<>(0);
        for (Turn turn : result.lost) {
            lose(turn, lost);
        }
        for (Committer.Refused refused : result.refused) {
            settler.release(refused.turn());
            settler.refused(refused.turn(), refused.reason(), apart);
        }
        for (Turn turn : result.untried) {
            settler.release(turn);
            lost.addAll(turn.works());
        }
        unknown = List.copyOf(result.unknown);
        lost.addAll(apart);
        again(lost);
    }

    /** Who watches must not stand in the way. */
    private void observed(Duration took, List<Turn> settled) {
        try {
            parts.observer().committed(shard, took, settled);
        } catch (RuntimeException e) {
            LOG.log(Level.ERROR, "an observer failed", e);
        }
    }

    private void lose(Turn turn, List<Work> lost) {
        cache.evict(turn.key);
        settler.release(turn);
        for (Work work : turn.works()) {
            work.tries++;
            if (work.tries > parts.config().tries()) {
                throw new IllegalStateException("run " + turn.key + " is moved by somebody else, again and again");
            }
            lost.add(work);
        }
    }

    /**
     * Reads what became of a commit whose connection broke, before anything is said or done again. Whoever took the shard
     * over may have decided the very same since: it is ours only if the shard still is.
     */
    void verify() throws JournalException {
        List<RunKey> keys = unknown.stream()
                .filter(turn -> turn.move != null)
                .map(turn -> turn.key)
                .toList();
        Map<RunKey, StoredRun> stored = parts.journal().load(shard, keys);
        committer.confirm();
        boolean durable = unknown.stream().anyMatch(turn -> isStored(turn, stored));
        List<Turn> turns = unknown;
        unknown = List.of();
        List<Work> lost = new ArrayList<>();
        List<Turn> settled = new ArrayList<>();
        for (Turn turn : turns) {
            if (durable && (turn.move == null || isStored(turn, stored))) {
                settler.settle(turn);
                settled.add(turn);
            } else {
                lose(turn, lost);
            }
        }
        settler.start(); // right now, while the lease is known to be held
        again(lost);
        observed(Duration.ZERO, settled);
    }

    private static boolean isStored(Turn turn, Map<RunKey, StoredRun> found) {
        RunMove move = turn.move;
        StoredRun stored = found.get(turn.key);
        return move != null
                && stored != null
                && stored.lastSequence() == move.newSequence()
                && stored.lastHash().equals(move.newHash());
    }

    private static List<Turn> sorted(Collection<Turn> turns) {
        List<Turn> sorted = new ArrayList<>(turns);
        sorted.sort((a, b) -> a.key.compareTo(b.key));
        return sorted;
    }

    private void again(List<Work> works) {
        for (int i = works.size() - 1; i >= 0; i--) {
            redo.addFirst(works.get(i));
        }
    }
}
