package dev.flowstone.server.execution;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.read.RunHistory;
import dev.flowstone.engine.read.RunReader;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.MessageEvent.ChildBegun;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The tree of runs that call each other (dataflow.md §13.2), walked from the top: a run, then each of its children with all
 * that is below it, in the order in which they were started. A page reads a bounded number of events, whatever the runs are
 * like; where that isn't enough it is shorter, or empty, and the next one goes on at the event that it came to. Ancestors
 * that were archived are left out: the tree then begins below them.
 */
public final class Family {
    /** Levels above a run that are climbed; {@code engine.callDepth} allows 500 at most. */
    static final int MOST_LEVELS = 1_000;

    /** Events that a page reads, and as many again where runs aren't there any more. */
    private static final int EVENTS = 10_000;

    /** The event that says whose child a run is stands right behind its start. */
    private static final int BEGINNING = 8;

    private final RunReader runs;
    private final RunHistory history;
    private final TenantId tenant;
    private final int events;

    public Family(RunReader runs, TenantId tenant) {
        this(runs, tenant, EVENTS);
    }

    /** One with another bound on what a page reads. */
    Family(RunReader runs, TenantId tenant, int events) {
        this.runs = requireNonNull(runs);
        this.history = new RunHistory(runs);
        this.tenant = requireNonNull(tenant);
        this.events = events;
    }

    /**
     * One run of the tree.
     *
     * @param child how its caller knows it; empty at the top
     * @param depth from 0 at the top of what is shown
     */
    public record Member(RunId run, Optional<RunId> parent, Optional<Child> child, int depth) {
        public Member {
            requireNonNull(run);
            requireNonNull(parent);
            requireNonNull(child);
        }
    }

    /**
     * Some of its runs.
     *
     * @param rows how they, and the callers of those that aren't there, stand now
     * @param next where to go on; empty at the end
     */
    public record Page(List<Member> members, Map<RunId, RunRow> rows, Optional<FamilyPlace> next) {
        public Page {
            members = List.copyOf(members);
            rows = Map.copyOf(rows);
            requireNonNull(next);
        }

        /** Whether nobody waits any more to hear how it ends: its caller is over, or gone. */
        public boolean isAlone(Member member) {
            return member.parent()
                    .map(rows::get)
                    .map(caller -> caller.status().isFinal())
                    .orElse(true);
        }
    }

    /** The topmost ancestor that is there, itself included. */
    public RunId top(RunId run) throws JournalException {
        RunId top = run;
        Optional<RunId> parent = parent(run);
        for (int level = 1;
                parent.isPresent()
                        && level < MOST_LEVELS
                        && runs.run(tenant, parent.get()).isPresent();
                level++) {
            top = parent.get();
            parent = parent(top);
        }
        return top;
    }

    /**
     * Runs of the tree from a place on, or from the top; empty if there is no such place.
     *
     * @param limit at most so many
     */
    public Optional<Page> page(RunId top, Optional<FamilyPlace> from, int limit) throws JournalException {
        FamilyWalk walk = new FamilyWalk(history, tenant, top, events);
        List<Member> members = new ArrayList<>();
        if (from.isEmpty()) {
            members.add(walk.begin());
        } else if (!from.get().top().equals(top) || !walk.resume(from.get())) {
            return Optional.empty();
        }
        boolean more = walk.advances();
        while (more && members.size() < limit) {
            members.add(walk.take());
            more = walk.advances();
        }
        Optional<FamilyPlace> next = walk.place();
        Map<RunId, RunRow> rows = rows(members, walk);
        return Optional.of(
                new Page(members.stream().map(member -> told(member, walk)).toList(), rows, next));
    }

    /** How they stand. Of those that aren't there their callers may have heard, if later than the walk has read. */
    private Map<RunId, RunRow> rows(List<Member> members, FamilyWalk walk) throws JournalException {
        Map<RunId, RunRow> rows = new HashMap<>(
                runs.rows(tenant, members.stream().map(Member::run).toList()));
        Map<RunId, List<Child>> missing = new LinkedHashMap<>();
        for (Member member : members) {
            Optional<Child> child = told(member, walk).child().filter(FamilyWalk::isOpen);
            if (child.isPresent() && !rows.containsKey(member.run())) {
                missing.computeIfAbsent(member.parent().orElseThrow(), _ -> new ArrayList<>())
                        .add(child.get());
            }
        }
        if (!missing.isEmpty()) {
            rows.putAll(runs.rows(tenant, missing.keySet()));
            walk.hear(missing);
        }
        return rows;
    }

    private static Member told(Member member, FamilyWalk walk) {
        return new Member(
                member.run(),
                member.parent(),
                member.child().map(child -> walk.known(child.id()).orElse(child)),
                member.depth());
    }

    private Optional<RunId> parent(RunId run) throws JournalException {
        for (Event event : history.page(tenant, run, 1, BEGINNING)) {
            if (event.body() instanceof ChildBegun begun) {
                return Optional.of(begun.parent());
            }
        }
        return Optional.empty();
    }
}
