package dev.flowstone.server.execution;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.read.CorruptHistoryException;
import dev.flowstone.engine.read.RunHistory;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.MessageEvent.ChildStarted;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.server.execution.Family.Member;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.function.Consumer;

/**
 * The way through a {@link Family}: a log is opened when the walk comes to it, and read a piece at a time, until so many
 * events were read in all. One that was damaged is read up to there: it makes no tree unreadable, and whoever reads that run
 * is told. Not thread-safe.
 */
final class FamilyWalk {
    /** Events of one reading. */
    private static final int PIECE = 256;

    private final RunHistory history;
    private final TenantId tenant;
    private final RunId top;
    private final int events;
    private int budget;

    /** The log that is being read, before those of the runs above it. */
    private final Deque<Level> levels = new ArrayDeque<>();

    /** Whom the callers called, with what was read of them since. */
    private final Map<RunId, Child> known = new HashMap<>();

    FamilyWalk(RunHistory history, TenantId tenant, RunId top, int events) {
        this.history = history;
        this.tenant = tenant;
        this.top = top;
        this.events = events;
        this.budget = events;
    }

    /** A run whose log is being read for whom it called. */
    private static final class Level {
        private final RunId run;
        private final long call;
        private final Deque<Child> read = new ArrayDeque<>();
        private OptionalLong next;

        /**
         * Nothing was read of it.
         *
         * @param call number of the event in its caller that started it; 0 at the top
         * @param next the event to begin with
         */
        Level(RunId run, long call, long next) {
            this.run = run;
            this.call = call;
            this.next = OptionalLong.of(next);
        }
    }

    /** At the top, which is the first of all. */
    Member begin() {
        levels.push(new Level(top, 0, 1));
        return new Member(top, Optional.empty(), Optional.empty(), 0);
    }

    /** Where an earlier walk stopped; false if no such call was made. A run that has gone since has nothing below it. */
    boolean resume(FamilyPlace place) throws JournalException {
        RunId run = top;
        long call = 0;
        for (long below : place.way()) {
            levels.push(new Level(run, call, below + 1));
            List<Event> found = called(run, below);
            if (found.isEmpty()) {
                return true;
            }
            if (!(found.getFirst().body() instanceof ChildStarted started)) {
                return false;
            }
            run = started.child();
            call = below;
        }
        levels.push(new Level(run, call, place.next()));
        return true;
    }

    private List<Event> called(RunId run, long sequence) throws JournalException {
        try {
            return history.page(tenant, run, sequence, 1);
        } catch (CorruptHistoryException e) {
            return List.of();
        }
    }

    /** Goes on to the next call; false at the end, and when enough was read. */
    boolean advances() throws JournalException {
        while (!levels.isEmpty()) {
            Level level = levels.getFirst();
            if (!level.read.isEmpty()) {
                return true;
            }
            if (level.next.isEmpty()) {
                levels.pop();
            } else if (budget > 0) {
                read(level, level.next.getAsLong());
            } else {
                return false;
            }
        }
        return false;
    }

    /** Whom it called, behind which what is below it comes. */
    Member take() {
        Level level = levels.getFirst();
        Child child = level.read.remove();
        Member member = new Member(child.id(), Optional.of(level.run), Optional.of(child), levels.size());
        levels.push(new Level(child.id(), child.sequence(), 1));
        return member;
    }

    /** Where to go on; empty at the end. */
    Optional<FamilyPlace> place() {
        if (levels.isEmpty()) {
            return Optional.empty();
        }
        List<Long> way = new ArrayList<>();
        for (Iterator<Level> down = levels.descendingIterator(); down.hasNext(); ) {
            way.add(down.next().call);
        }
        Level level = levels.getFirst();
        long next = level.read.isEmpty()
                ? level.next.orElseThrow()
                : level.read.getFirst().sequence();
        return Optional.of(new FamilyPlace(top, way.subList(1, way.size()), next));
    }

    /** What was read of a child by now. */
    Optional<Child> known(RunId child) {
        return Optional.ofNullable(known.get(child));
    }

    /**
     * When the walk is over: reads the callers' logs, as many events again, for how those that they called ended. Those of
     * whom nothing was read, though there is more, are not known to be expected any more.
     */
    void hear(Map<RunId, List<Child>> called) throws JournalException {
        budget = events;
        for (Map.Entry<RunId, List<Child>> each : called.entrySet()) {
            hear(each.getKey(), each.getValue());
        }
    }

    private void hear(RunId caller, List<Child> called) throws JournalException {
        Map<RunId, Child> open = new HashMap<>();
        called.forEach(child -> open.put(child.id(), child));
        OptionalLong next =
                OptionalLong.of(called.stream().mapToLong(Child::sequence).min().orElse(0) + 1);
        boolean damaged = false;
        while (!damaged
                && next.isPresent()
                && budget > 0
                && open.values().stream().anyMatch(FamilyWalk::isOpen)) {
            try {
                next = read(caller, next.getAsLong(), event -> Children.hear(open, event));
            } catch (CorruptHistoryException e) {
                damaged = true;
            }
        }
        boolean whole = next.isEmpty();
        open.forEach((id, child) -> known.put(id, whole || !isOpen(child) ? child : child.unexpected()));
    }

    static boolean isOpen(Child child) {
        return child.ended().isEmpty() && child.expected();
    }

    private void read(Level level, long from) throws JournalException {
        try {
            level.next = read(level.run, from, event -> {
                if (event.body() instanceof ChildStarted started) {
                    Child child = Child.started(event, started);
                    known.put(child.id(), child);
                    level.read.add(child);
                } else {
                    Children.hear(known, event);
                }
            });
        } catch (CorruptHistoryException e) {
            level.next = OptionalLong.empty();
        }
    }

    /** An empty log costs something, too. */
    private OptionalLong read(RunId run, long from, Consumer<Event> reader) throws JournalException {
        int most = Math.min(PIECE, budget);
        int[] told = {1};
        try {
            return history.replay(tenant, run, from, most, event -> {
                told[0]++;
                reader.accept(event);
            });
        } finally {
            budget -= told[0];
        }
    }
}
