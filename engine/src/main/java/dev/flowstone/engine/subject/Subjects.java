package dev.flowstone.engine.subject;

import dev.flowstone.engine.journal.JournalException;

/** The only way to edit what runs are about. Needs no engine. */
@FunctionalInterface
public interface Subjects {
    /** For places without a database: nothing can be edited. */
    Subjects NONE = (change, mutation) -> {
        throw new JournalException.Unavailable("subjects can't be edited here");
    };

    /**
     * Edits a subject in one short transaction: locks its own row and its window row, judges the edit by the strictest
     * window of the runs that live on it (if none does, by what those have left that ended last), makes it, raises the
     * version, and leaves word for the runs. All of it or nothing.
     *
     * @throws MutationException if the database refuses the mutation
     * @throws JournalException if the database can't do it now, or nobody knows whether it did
     * @throws Exception whatever the mutation throws
     */
    MutationAnswer mutate(SubjectChange change, Mutation mutation) throws Exception;
}
