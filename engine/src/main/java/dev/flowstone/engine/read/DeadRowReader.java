package dev.flowstone.engine.read;

import dev.flowstone.engine.journal.JournalException;

/** Asks what the database itself counts, for operators: cheap, but to be asked now and then and never by a hot path. */
@FunctionalInterface
public interface DeadRowReader {
    DeadRows read() throws JournalException;
}
