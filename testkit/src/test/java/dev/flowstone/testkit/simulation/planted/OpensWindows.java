package dev.flowstone.testkit.simulation.planted;

import dev.flowstone.engine.journal.RunMove;
import dev.flowstone.engine.journal.WindowRow;
import dev.flowstone.kernel.read.EditWindow;
import java.util.Optional;

/** Nobody is told that a run locks what it is about. */
public final class OpensWindows extends SpoiledMoves {
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
                move.newProgram(),
                move.window()
                        .map(row -> new WindowRow(
                                row.subject(),
                                row.first(),
                                Optional.of(EditWindow.OPEN),
                                row.version(),
                                row.exclusive(),
                                row.live())));
    }
}
