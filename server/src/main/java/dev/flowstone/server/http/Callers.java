package dev.flowstone.server.http;

/** Tells who calls what isn't everybody's: there it is {@link Caller#ANYBODY}, whoever they say they are. */
@FunctionalInterface
public interface Callers {
    Caller identify(Headers headers) throws ProblemException;
}
