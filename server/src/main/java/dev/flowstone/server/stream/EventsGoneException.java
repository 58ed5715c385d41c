package dev.flowstone.server.stream;

/** The feed no longer has all that came behind a reader's place: who went on there would miss some unawares. */
public final class EventsGoneException extends Exception {
    private static final long serialVersionUID = 1;

    EventsGoneException() {
        super("the feed no longer has every event behind that one");
    }
}
