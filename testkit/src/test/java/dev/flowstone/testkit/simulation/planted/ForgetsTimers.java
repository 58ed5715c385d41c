package dev.flowstone.testkit.simulation.planted;

import dev.flowstone.engine.journal.RunMove;
import java.util.List;

/** Timers are set in the states, but not in the table that a successor reads. */
public final class ForgetsTimers extends SpoiledMoves {
    @Override
    RunMove spoiled(RunMove move) {
        return new RunMove(
                move.key(),
                move.workflow(),
                move.version(),
                move.program(),
                move.correlation(),
                move.expectedSequence(),
                move.entries(),
                move.status(),
                move.awake(),
                move.eventTime(),
                List.of(),
                move.timersGone(),
                move.snapshot(),
                move.receipts(),
                move.payloads(),
                move.outbox(),
                move.letters(),
                move.tasksOpen(),
                move.tasksGone(),
                move.newProgram(),
                move.window());
    }
}
