package dev.flowstone.testkit.simulation.world;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.StoredEntry;
import dev.flowstone.engine.read.RunReader;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.state.RunState;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.NavigableSet;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/** What is stored of all runs, as far as it has been read, and the states that nodes had in mind. Each event is counted once. */
final class Chronicle {
    private static final int ALL = Integer.MAX_VALUE;
    private static final int DECIDED = 500;

    private final World world;
    private final RunReader reader;
    private final Repertoire repertoire;
    private final Map<RunKey, RunLog> logs = new TreeMap<>();
    private final NavigableSet<RunKey> touched = new TreeSet<>();
    private final Map<RunLog, List<Event>> moved = new LinkedHashMap<>();
    private final Map<Sha256, RunState> decided = new LinkedHashMap<>();

    Chronicle(World world, RunReader reader, Repertoire repertoire) {
        this.world = world;
        this.reader = reader;
        this.repertoire = repertoire;
    }

    Map<RunKey, RunLog> logs() {
        return logs;
    }

    RunLog log(RunKey run) {
        return requireNonNull(logs.get(run), "a run that nobody has read");
    }

    /** Something may have been stored of it. */
    void touch(RunKey run) {
        touched.add(run);
    }

    /** A node has this in mind. */
    void remember(RunState state) {
        if (decided.size() >= DECIDED) {
            decided.remove(decided.keySet().iterator().next());
        }
        decided.put(state.lastHash(), state);
    }

    Optional<RunState> decided(Sha256 lastHash) {
        return Optional.ofNullable(decided.get(lastHash));
    }

    /** Runs that moved since the last look, with what is new in their logs. */
    Map<RunLog, List<Event>> observe() {
        for (RunKey key : List.copyOf(touched)) {
            catchUp(key);
        }
        touched.clear();
        Map<RunLog, List<Event>> seen = new LinkedHashMap<>(moved);
        moved.clear();
        return seen;
    }

    /** Reads on what is stored of a run, and answers with what is new; the next look tells it too. */
    List<Event> catchUp(RunKey key) {
        try {
            Optional<RunRow> row = reader.run(key.tenant(), key.run());
            if (row.isEmpty()) {
                return List.of();
            }
            RunLog log = logs.computeIfAbsent(key, _ -> unread(key, row.get()));
            List<StoredEntry> entries =
                    reader.entries(key.tenant(), key.run(), log.state().lastSequence() + 1, ALL);
            List<Event> fresh = log.follow(entries);
            if (!fresh.isEmpty()) {
                moved.computeIfAbsent(log, _ -> new ArrayList<>()).addAll(fresh);
                fresh.forEach(event -> count(log, event));
            }
            return fresh;
        } catch (JournalException e) {
            throw new IllegalStateException("the database in memory can't be read", e);
        }
    }

    private RunLog unread(RunKey key, RunRow row) {
        Program program = repertoire
                .program(row.program())
                .orElseThrow(() -> new Violation("I2", "run " + row.key() + " follows an unknown program"));
        return new RunLog(
                key,
                repertoire::program,
                from -> Optional.ofNullable(logs.get(new RunKey(key.tenant(), from))),
                program,
                row.program());
    }

    private void count(RunLog log, Event event) {
        EventBody body = event.body();
        world.coverage().count(Coverage.Sort.EVENT, body.kind());
        if (body instanceof EventBody.ActivationOpened opened) {
            world.coverage()
                    .count(
                            Coverage.Sort.NODE,
                            log.programAt(event.sequence())
                                    .node(opened.activation().node())
                                    .getClass()
                                    .getSimpleName());
        }
        if (body instanceof EventBody.Transitioned transitioned) {
            transitioned.conditions().stream()
                    .flatMap(condition -> PolicyBook.Outcome.of(condition).stream())
                    .forEach(outcome -> world.coverage().count(Coverage.Sort.POLICY, outcome.name()));
        }
        world.say(() -> log.name() + " " + event.sequence() + " " + brief(body));
    }

    private static String brief(EventBody body) {
        String text = body.toString();
        return text.length() > 160 ? text.substring(0, 160) + "…" : text;
    }
}
