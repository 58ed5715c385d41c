package dev.flowstone.testkit.simulation.planted;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.journal.Commit;
import dev.flowstone.engine.journal.Committed;
import dev.flowstone.engine.journal.Journal;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunMove;
import dev.flowstone.testkit.simulation.world.Tampering;
import java.util.List;
import java.util.Optional;
import java.util.stream.Collectors;

/** A commit is called durable at once, and is made durable before the next call. */
public final class AnswersBeforeTheCommit implements Tampering {
    @Override
    public Journal journal(Ports ports) {
        return new WriteBehind(ports.journal());
    }

    private static final class WriteBehind extends SpoiledJournal {
        private Optional<Commit> behind = Optional.empty();

        WriteBehind(Journal database) {
            super(database);
        }

        @Override
        public Committed commit(Commit commit) throws JournalException {
            reading();
            Committed empty = database.commit(new Commit(commit.lease(), List.of(), List.of()));
            behind = Optional.of(commit);
            return new Committed(
                    commit.moves().stream().map(RunMove::key).collect(Collectors.toSet()), empty.databaseTime(), 0);
        }

        @Override
        void reading() throws JournalException {
            Optional<Commit> late = behind;
            behind = Optional.empty();
            if (late.isPresent()) {
                database.commit(late.get());
            }
        }
    }
}
