package dev.flowstone.testkit.simulation.planted;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.effect.LetterMessage;
import dev.flowstone.engine.journal.Commit;
import dev.flowstone.engine.journal.Committed;
import dev.flowstone.engine.journal.Journal;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.Letter;
import dev.flowstone.engine.journal.RunMove;
import dev.flowstone.testkit.simulation.world.Tampering;

/** Letters leave before the commit that sends them; some senders lose it. */
public final class PostsBeforeTheCommit implements Tampering {
    @Override
    public Journal journal(Ports ports) {
        return new SpoiledJournal(ports.journal()) {
            @Override
            public Committed commit(Commit commit) throws JournalException {
                for (RunMove move : commit.moves()) {
                    for (Letter letter : move.letters()) {
                        ports.inbox().accept(LetterMessage.of(letter, move.eventTime()));
                    }
                }
                return database.commit(commit);
            }
        };
    }
}
