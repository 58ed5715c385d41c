package dev.flowstone.server.http;

/** Tells who calls what isn't everybody's: there it is {@link Caller#ANYBODY}, whoever they say they are. */
@FunctionalInterface
public interface Callers {
    Caller identify(Headers headers) throws ProblemException;

    /** Refuses what else a call says of its caller, once it was counted as theirs, if that is another. */
    default void check(Caller caller, Headers headers) throws ProblemException {}
}
