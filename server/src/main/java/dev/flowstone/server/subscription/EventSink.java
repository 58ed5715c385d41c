package dev.flowstone.server.subscription;

/** Where events go. Thread-safe. */
@FunctionalInterface
interface EventSink {
    /** Sends an event; returns when the other side has it for good. */
    void send(OutEvent event) throws SendException, InterruptedException;

    /** One that can't be reached from here. */
    static EventSink missing(String why) {
        return event -> {
            throw SendException.of(why);
        };
    }
}
