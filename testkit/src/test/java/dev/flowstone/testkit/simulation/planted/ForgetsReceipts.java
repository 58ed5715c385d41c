package dev.flowstone.testkit.simulation.planted;

import dev.flowstone.engine.journal.RunMove;
import java.util.List;

/** A repeated start doesn't meet its predecessor. */
public final class ForgetsReceipts extends SpoiledMoves {
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
                move.timersSet(),
                move.timersGone(),
                move.snapshot(),
                List.of(),
                move.payloads(),
                move.outbox(),
                move.letters(),
                move.tasksOpen(),
                move.tasksGone(),
                move.newProgram(),
                move.window());
    }
}
