package dev.flowstone.kernel.story;

import dev.flowstone.kernel.program.ChildPolicies;
import dev.flowstone.kernel.program.ChildPolicy;
import dev.flowstone.kernel.program.JoinPolicy;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Program;
import java.util.Optional;

/** Programs that runs move between, or begin in the midst of; the names of their tasks are the caller's. */
final class MigrationPrograms {
    static Programs race(String slow) {
        return raceAgainst(slow).task(slow).edge(slow, "join");
    }

    /** With a child that may complete when it has lost. */
    static Program raceOfACall(String called) {
        ChildPolicy late = ChildPolicy.COMPLETE_THEN_CANCEL;
        return raceAgainst("call")
                .call("call", called, true, Optional.empty(), new ChildPolicies(late, late, late, late))
                .edge("call", "join")
                .build();
    }

    private static Programs raceAgainst(String slow) {
        return Programs.flow()
                .fork("fork", "join", "left", "right")
                .join("join", new JoinPolicy.Ended(1), Node.Join.Losers.CANCEL)
                .timer("wait", "PT1H")
                .end("end")
                .chain("start", "fork")
                .chain("join", "wait", "end")
                .branch("left", "fork", "fast")
                .task("fast")
                .edge("fast", "join")
                .branch("right", "fork", slow);
    }

    static Program round(String task) {
        return Programs.flow()
                .task(task)
                .timer("wait", "PT1H")
                .chain("start", task, "wait", task)
                .build();
    }

    private MigrationPrograms() {}
}
