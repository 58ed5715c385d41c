package dev.flowstone.server.http;

import dev.flowstone.engine.journal.JournalException;

/** What a route does; runs on a virtual thread and may block. */
@FunctionalInterface
public interface Handler {
    Reply handle(Call call) throws ProblemException, JournalException;
}
