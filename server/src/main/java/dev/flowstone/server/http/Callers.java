package dev.flowstone.server.http;

/** Tells who calls. */
@FunctionalInterface
public interface Callers {
    Caller identify(Headers headers) throws ProblemException;

    /** Tells who calls what is everybody's; they needn't prove it. */
    default Caller anybody(Headers headers) throws ProblemException {
        return identify(headers);
    }
}
