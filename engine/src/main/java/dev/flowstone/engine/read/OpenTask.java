package dev.flowstone.engine.read;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.HumanTaskRow;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.kernel.id.WorkflowId;

/** A human task that is open, and whose it is. */
public record OpenTask(RunKey run, WorkflowId workflow, HumanTaskRow task) {
    public OpenTask {
        requireNonNull(run);
        requireNonNull(workflow);
        requireNonNull(task);
    }

    /** Where it stands in lists. */
    public HumanTaskPlace place() {
        return new HumanTaskPlace(task.openedAt(), run.run(), task.activation());
    }
}
