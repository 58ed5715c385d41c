package dev.flowstone.server.http;

/** The methods that routes use. {@code HEAD} and {@code OPTIONS} are answered by the border for every route. */
public enum Method {
    GET,
    POST,
    PUT,
    PATCH,
    DELETE;

    /** Whether it changes something, and so may carry an {@code Idempotency-Key}. */
    public boolean mutates() {
        return this != GET;
    }
}
