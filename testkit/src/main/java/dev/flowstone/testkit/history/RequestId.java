package dev.flowstone.testkit.history;

/** By which a client's request is known when it comes again: its idempotency key. */
public record RequestId(String value) {
    @Override
    public String toString() {
        return value;
    }
}
