package dev.flowstone.testkit.simulation.program;

import dev.flowstone.testkit.simulation.world.Dice;
import java.util.List;

/** Every piece. */
public final class Pieces {
    public static final List<ProgramPiece> ALL = List.of(
            new StartPiece(),
            new TaskPiece(),
            new TimerPiece(),
            new EndPiece(),
            new ChoicePiece(),
            new AssignPiece(),
            new HumanTaskPiece(),
            new AwaitPiece(),
            new EmitPiece(),
            new CallPiece(),
            new ForkPiece(),
            new JoinPiece());

    private static final int WEIGHT =
            ALL.stream().mapToInt(ProgramPiece::weight).sum();

    private Pieces() {}

    static ProgramPiece next(Dice dice) {
        int left = dice.below(WEIGHT);
        for (ProgramPiece piece : ALL) {
            left -= piece.weight();
            if (left < 0) {
                return piece;
            }
        }
        throw new IllegalStateException("the weights don't add up");
    }
}
