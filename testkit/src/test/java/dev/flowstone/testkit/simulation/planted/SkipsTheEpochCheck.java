package dev.flowstone.testkit.simulation.planted;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.journal.Commit;
import dev.flowstone.engine.journal.Committed;
import dev.flowstone.engine.journal.Journal;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.testkit.simulation.world.Tampering;

/** A commit gets through whatever its epoch. */
public final class SkipsTheEpochCheck implements Tampering {
    private static final int MANY = 500;

    @Override
    public Journal journal(Ports ports) {
        return new SpoiledJournal(ports.journal()) {
            @Override
            public Committed commit(Commit commit) throws JournalException {
                Lease lease = commit.lease();
                for (long epoch = lease.epoch(); epoch < lease.epoch() + MANY; epoch++) {
                    try {
                        Lease claimed = new Lease(lease.shard(), lease.holder(), epoch, lease.until());
                        return database.commit(
                                new Commit(claimed, commit.moves(), commit.consumed(), commit.delivered()));
                    } catch (JournalException.StaleEpoch _) {
                        // The next one, then.
                    }
                }
                return database.commit(commit);
            }
        };
    }
}
