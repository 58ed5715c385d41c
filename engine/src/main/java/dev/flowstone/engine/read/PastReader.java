package dev.flowstone.engine.read;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.program.Programs;
import dev.flowstone.kernel.decision.Kernel;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.state.RunState;
import dev.flowstone.kernel.state.UnknownProgramException;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * What a run was like at a point of its history: its events folded up to there, a page at a time, by the programs that they
 * name. Reads the database; no thread of a shard may.
 */
public final class PastReader {
    private static final int PAGE = 500;

    private final RunHistory history;
    private final Programs programs;

    public PastReader(RunReader runs, Programs programs) {
        this.history = new RunHistory(runs);
        this.programs = requireNonNull(programs);
    }

    /**
     * The state after an event, or after the last one if there are fewer.
     *
     * @throws IllegalStateException if its history can't be read
     */
    public RunState at(RunRow row, long sequence) throws JournalException {
        return from(row).to(sequence);
    }

    /**
     * Begins before the run's first event.
     *
     * @throws IllegalStateException if its program can't be read
     */
    public Walk from(RunRow row) throws JournalException {
        return new Walk(row);
    }

    /** A way through a run's history, from its first event on. */
    public final class Walk {
        private final RunRow row;
        private final Map<Sha256, Program> known = new HashMap<>();
        private RunState state;

        private Walk(RunRow row) throws JournalException {
            this.row = row;
            this.state =
                    Kernel.initial(hash -> Optional.ofNullable(known.get(hash)), program(row.program()), row.program());
        }

        /**
         * The state after an event, or after the last one if there are fewer; never further back than before.
         *
         * @throws IllegalStateException if its history can't be read
         */
        public RunState to(long sequence) throws JournalException {
            while (state.lastSequence() < sequence) {
                int most = (int) Math.min(PAGE, sequence - state.lastSequence());
                List<Event> page = history.page(row.key().tenant(), row.key().run(), state.lastSequence() + 1, most);
                if (page.isEmpty()) {
                    break;
                }
                for (Event event : page) {
                    state = apply(event);
                }
            }
            return state;
        }

        private RunState apply(Event event) throws JournalException {
            try {
                return state.apply(event);
            } catch (UnknownProgramException e) {
                known.put(e.program(), program(e.program()));
                return state.apply(event);
            }
        }

        private Program program(Sha256 hash) throws JournalException {
            return programs.find(row.key().tenant(), hash)
                    .orElseThrow(() -> new IllegalStateException(
                            "program " + hash + " of run " + row.key().run() + " isn't stored"));
        }
    }
}
