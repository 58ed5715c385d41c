package dev.flowstone.testkit.simulation.planted;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.journal.Commit;
import dev.flowstone.engine.journal.Committed;
import dev.flowstone.engine.journal.Journal;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.testkit.simulation.world.Tampering;
import java.util.List;

/** A message isn't consumed with the move that it led to, and so is delivered again. */
public final class ConsumesNothing implements Tampering {
    @Override
    public Journal journal(Ports ports) {
        return new SpoiledJournal(ports.journal()) {
            @Override
            public Committed commit(Commit commit) throws JournalException {
                return database.commit(new Commit(commit.lease(), commit.moves(), List.of(), commit.delivered()));
            }
        };
    }
}
