package dev.flowstone.engine.workflow;

import dev.flowstone.engine.journal.JournalException;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/** What an operation decided to do with a workflow's row. */
sealed interface Change<T> {
    /** Nothing; the answer stands. */
    record None<T>(CatalogAnswer<T> answer) implements Change<T> {}

    /**
     * Write the row and perhaps a version; the answer comes from the row as stored.
     *
     * @param triggers that the version declares which becomes the current one; empty if none becomes
     */
    record Write<T>(
            WorkflowRow row,
            Optional<WorkflowVersion> version,
            Optional<List<OwnTrigger>> triggers,
            Function<WorkflowRow, T> answer)
            implements Change<T> {}

    static <T> Change<T> none(CatalogAnswer<T> answer) {
        return new None<>(answer);
    }

    static <T> Change<T> to(WorkflowRow row, Function<WorkflowRow, T> answer) {
        return new Write<>(row, Optional.empty(), Optional.empty(), answer);
    }

    /** Decides on the row as it is stored now, if there is one. */
    @FunctionalInterface
    interface Decision<T> {
        Change<T> on(Optional<WorkflowRow> found) throws JournalException;
    }
}
