package dev.flowstone.testkit.simulation.planted;

import dev.flowstone.engine.journal.RunMove;

/** Runs with open attempts aren't marked, so that a successor doesn't find them. */
public final class ForgetsWhoIsAwake extends SpoiledMoves {
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
                false,
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
                move.newProgram(),
                move.window());
    }
}
