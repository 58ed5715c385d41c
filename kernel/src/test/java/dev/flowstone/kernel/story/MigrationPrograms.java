package dev.flowstone.kernel.story;

import dev.flowstone.kernel.program.JoinPolicy;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Program;

/** Programs that runs move between, or begin in the midst of; the names of their tasks are the caller's. */
final class MigrationPrograms {
    static Programs race(String slow) {
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
                .branch("right", "fork", slow)
                .task(slow)
                .edge(slow, "join");
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
