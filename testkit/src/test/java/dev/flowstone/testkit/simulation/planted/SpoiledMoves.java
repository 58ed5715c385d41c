package dev.flowstone.testkit.simulation.planted;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.journal.Commit;
import dev.flowstone.engine.journal.Committed;
import dev.flowstone.engine.journal.Journal;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunMove;
import dev.flowstone.testkit.simulation.world.Tampering;

/** What a run's move carries is changed on its way to the database. */
abstract class SpoiledMoves implements Tampering {
    abstract RunMove spoiled(RunMove move);

    @Override
    public final Journal journal(Ports ports) {
        return new SpoiledJournal(ports.journal()) {
            @Override
            public Committed commit(Commit commit) throws JournalException {
                return database.commit(new Commit(
                        commit.lease(),
                        commit.moves().stream().map(SpoiledMoves.this::spoiled).toList(),
                        commit.consumed(),
                        commit.delivered()));
            }
        };
    }
}
