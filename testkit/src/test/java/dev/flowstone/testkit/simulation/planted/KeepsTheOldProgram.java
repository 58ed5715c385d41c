package dev.flowstone.testkit.simulation.planted;

import dev.flowstone.engine.journal.RunMove;

/** A run is moved to another program, and its row goes on naming the old one. */
public final class KeepsTheOldProgram extends SpoiledMoves {
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
                move.receipts(),
                move.payloads(),
                move.outbox(),
                move.letters(),
                move.tasksOpen(),
                move.tasksGone(),
                false,
                move.window());
    }
}
