package dev.flowstone.engine.subject;

/** What an edit does to its subject's own rows. */
@FunctionalInterface
public interface Mutation {
    /**
     * Locks the subject's own row, before its window row is locked: while this waits, no run does. One whose row nobody
     * locks for long needn't.
     */
    default void lock(SqlHandle sql) throws Exception {}

    /**
     * Makes the edit.
     *
     * @param newVersion that the subject has from now on; store it with the subject
     * @throws Exception undoes everything
     */
    void apply(SqlHandle sql, long newVersion) throws Exception;
}
