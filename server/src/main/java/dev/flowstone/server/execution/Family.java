package dev.flowstone.server.execution;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.read.RunHistory;
import dev.flowstone.engine.read.RunReader;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.MessageEvent.ChildBegun;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Deque;
import java.util.Iterator;
import java.util.List;
import java.util.Optional;

/**
 * The tree of runs that call each other (dataflow.md §13.2), walked from the top: a run, then each of its children with all
 * that is below it, in the order in which they were started. A page costs the events of the runs that it shows, and of those
 * above its first one. Ancestors that were archived are left out: the tree then begins below them.
 */
public final class Family {
    /** Levels above a run that are climbed; {@code engine.callDepth} allows five unless it is raised. */
    private static final int MOST_LEVELS = 1_000;

    /** The event that says whose child a run is stands right behind its start. */
    private static final int BEGINNING = 8;

    private final RunReader runs;
    private final RunHistory history;
    private final TenantId tenant;

    public Family(RunReader runs, TenantId tenant) {
        this.runs = requireNonNull(runs);
        this.history = new RunHistory(runs);
        this.tenant = requireNonNull(tenant);
    }

    /**
     * One run of the tree.
     *
     * @param child how its caller knows it; empty at the top
     * @param depth from 0 at the top of what is shown
     */
    public record Member(RunId run, Optional<RunId> parent, Optional<Child> child, int depth) {}

    /** The topmost ancestor that is there, itself included. */
    public RunId top(RunId run) throws JournalException {
        return above(run).getFirst();
    }

    /**
     * Runs of the tree behind one of them, or from the top.
     *
     * @param after the last one that was shown
     */
    public List<Member> after(RunId top, Optional<RunId> after, int limit) throws JournalException {
        List<Member> page = new ArrayList<>();
        Deque<Iterator<Member>> open = new ArrayDeque<>();
        if (after.isEmpty()) {
            open.push(List.of(new Member(top, Optional.empty(), Optional.empty(), 0)).iterator());
        } else {
            resume(top, after.get(), open);
        }
        while (page.size() < limit && !open.isEmpty()) {
            if (!open.getFirst().hasNext()) {
                open.pop();
                continue;
            }
            Member next = open.getFirst().next();
            page.add(next);
            open.push(children(next.run(), next.depth()).iterator());
        }
        return page;
    }

    /** What comes behind a run: its own children, then each of its ancestors' children behind the one on the way to it. */
    private void resume(RunId top, RunId after, Deque<Iterator<Member>> open) throws JournalException {
        List<RunId> way = above(after);
        int begin = Math.max(0, way.indexOf(top));
        for (int i = begin; i < way.size(); i++) {
            int depth = i - begin;
            List<Member> children = children(way.get(i), depth);
            int shown = i + 1 < way.size() ? place(children, way.get(i + 1)) : -1;
            open.push(children.subList(shown + 1, children.size()).iterator());
        }
    }

    private static int place(List<Member> children, RunId run) {
        for (int i = 0; i < children.size(); i++) {
            if (children.get(i).run().equals(run)) {
                return i;
            }
        }
        return -1;
    }

    private List<Member> children(RunId run, int depth) throws JournalException {
        List<Member> members = new ArrayList<>();
        for (Child child : Child.of(history, tenant, run)) {
            members.add(new Member(child.id(), Optional.of(run), Optional.of(child), depth + 1));
        }
        return members;
    }

    /** From the topmost ancestor that is there down to the run itself. */
    private List<RunId> above(RunId run) throws JournalException {
        List<RunId> way = new ArrayList<>(List.of(run));
        Optional<RunId> parent = parent(run);
        while (parent.isPresent() && way.size() < MOST_LEVELS && runs.run(tenant, parent.get()).isPresent()) {
            way.add(parent.get());
            parent = parent(parent.get());
        }
        Collections.reverse(way);
        return way;
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
