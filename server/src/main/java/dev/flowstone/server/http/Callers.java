package dev.flowstone.server.http;

import dev.flowstone.triggers.event.EventChain;

/** Tells who calls what isn't everybody's: there it is {@link Caller#ANYBODY}, whoever they say they are. */
@FunctionalInterface
public interface Callers {
    Caller identify(Headers headers) throws ProblemException;

    /** The correlation id of a call that comes with this one. */
    default String correlation(String given) {
        return EventChain.ofCaller(given);
    }

    /** Refuses what else a call says of its caller, once it was counted as theirs, if that is another. */
    default void check(Caller caller, Headers headers) throws ProblemException {}
}
