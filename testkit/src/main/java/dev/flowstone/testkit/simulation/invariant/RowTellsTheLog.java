package dev.flowstone.testkit.simulation.invariant;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.World;

/** I2: what a run's row says is what its log says. That numbers and chain have no gap is checked as the log is read. */
final class RowTellsTheLog implements Invariant {
    @Override
    public String number() {
        return "I2";
    }

    @Override
    public void ended(World world) {
        for (RunLog log : world.logs().values()) {
            RunRow row;
            try {
                row = world.database()
                        .ports()
                        .runs()
                        .run(log.run().tenant(), log.run().run())
                        .orElseThrow(() -> broken("run " + log.run().run() + " is gone"));
            } catch (JournalException e) {
                throw broken("run " + log.run().run() + " can't be read: " + e);
            }
            boolean same = row.lastSequence() == log.state().lastSequence()
                    && row.lastHash().equals(log.state().lastHash())
                    && row.status() == log.state().status()
                    && row.version() == log.state().version()
                    && row.program().equals(log.state().programHash())
                    && log.events().size() == row.lastSequence();
            if (!same) {
                throw broken("the row of " + log.state().correlation() + " says " + row + ", its log ends at "
                        + log.state().lastSequence() + ", " + log.state().status());
            }
        }
    }
}
