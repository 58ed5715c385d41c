package dev.flowstone.testkit.simulation.world;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.StoredEntry;
import dev.flowstone.kernel.aggregate.Aggregates;
import dev.flowstone.kernel.decision.Kernel;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.CorruptEntryException;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.JournalEntry;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Programs;
import dev.flowstone.kernel.state.RunState;
import java.util.ArrayList;
import java.util.List;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.TreeMap;
import java.util.function.Function;

/** One run as the database tells it: every stored event, read once, and the state that they fold to. */
public final class RunLog {
    private final RunKey run;
    private final List<Event> events = new ArrayList<>();
    private final NavigableMap<Long, Program> followed = new TreeMap<>();
    private final List<Told> before = new ArrayList<>();
    private final Programs programs;
    private final Function<RunId, Optional<RunLog>> others;
    private RunState state;

    /**
     * A run of which nothing has been read.
     *
     * @param programs knows all that its events may name
     * @param others runs at whose past it may begin
     * @param program the one that its row names
     */
    RunLog(
            RunKey run,
            Programs programs,
            Function<RunId, Optional<RunLog>> others,
            Program program,
            Sha256 programHash) {
        this.run = requireNonNull(run);
        this.programs = requireNonNull(programs);
        this.others = requireNonNull(others);
        this.state = Kernel.initial(programs, program, programHash);
    }

    public RunKey run() {
        return run;
    }

    /** Whether it is a channel, a semaphore or a link. */
    public boolean isAggregate() {
        return Aggregates.isAggregate(run.run());
    }

    /** Its name in traces: that of whoever started it, and what it is to that one. */
    public String name() {
        String called = state.parentage()
                .map(parentage -> "/" + parentage.activation() + "@" + parentage.depth())
                .orElse("");
        return (isAggregate() ? state.program().workflow() + " of " : "") + state.correlation() + called;
    }

    /** All of them, in order; grows. */
    public List<Event> events() {
        return events;
    }

    /** The program that the run followed after this event; what an event itself says is said of that one. */
    public Program programAt(long sequence) {
        return requireNonNull(followed.floorEntry(sequence), "nothing was read yet")
                .getValue();
    }

    /** What had happened where it began: nothing, or the past of the run at a point of which it did. */
    public List<Told> before() {
        return before;
    }

    /** All that happened up to its event number so-and-so, before its own beginning too. */
    private List<Told> upTo(long sequence) {
        List<Told> story = new ArrayList<>(before);
        for (Event event : events) {
            if (event.sequence() <= sequence) {
                story.add(new Told(event, programAt(event.sequence())));
            }
        }
        return story;
    }

    /** Every program that it may follow. */
    public Programs programs() {
        return programs;
    }

    /** The fold of everything that is stored. */
    public RunState state() {
        return state;
    }

    /** Reads on; the chain and the numbers are checked (I2), and that every event can be folded (I1). */
    List<Event> follow(List<StoredEntry> entries) {
        List<Event> fresh = new ArrayList<>();
        for (StoredEntry entry : entries) {
            if (entry.firstSequence() != state.lastSequence() + 1) {
                throw new Violation(
                        "I2",
                        "event " + entry.firstSequence() + " of run " + run.run() + " follows event "
                                + state.lastSequence());
            }
            List<Event> decoded;
            try {
                decoded = JournalEntry.decode(entry.bytes(), entry.firstSequence(), state.lastHash());
            } catch (CorruptEntryException e) {
                throw new Violation(
                        "I2", "entry " + entry.firstSequence() + " of run " + run.run() + ": " + e.getMessage());
            }
            for (Event event : decoded) {
                try {
                    if (event.body() instanceof ControlEvent.RunReset reset) {
                        others.apply(reset.from()).ifPresent(other -> before.addAll(other.upTo(reset.sequence())));
                    }
                    state = state.apply(event);
                    if (followed.isEmpty() || followed.lastEntry().getValue() != state.program()) {
                        followed.put(event.sequence(), state.program());
                    }
                } catch (RuntimeException e) {
                    throw new Violation("I1", "event " + event.id() + " can't be folded: " + e);
                }
            }
            if (!state.lastHash().equals(entry.hash()) || state.lastSequence() != entry.lastSequence()) {
                throw new Violation("I2", "the chain of run " + run.run() + " breaks at " + entry.firstSequence());
            }
            fresh.addAll(decoded);
        }
        events.addAll(fresh);
        return fresh;
    }
}
