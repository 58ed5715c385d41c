package dev.flowstone.server.timeline;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonObject;
import java.util.HashMap;
import java.util.Map;

/**
 * On whose word each event of a run came about, as the run's own state has it (R25): its header's actor, but what follows buffered
 * input in the entry that takes it is the doing of whoever sent that, and not of whoever resumed the run. Events are told in
 * order. Whoever begins in the midst of a run tells what is buffered there first, by {@link #buffered}. Not thread-safe.
 */
public final class Speakers {
    private final Map<Long, Actor> waiting = new HashMap<>();
    private Actor sender = Actor.ENGINE;

    /** First event of the entry in which {@link #sender} speaks. */
    private long entry = -1;

    /** Input that came before the first event which is told. */
    public void buffered(long number, JsonObject input) {
        waiting.put(number, JsonCursor.of(input).member("stamp").as("actor", Actor::parse));
    }

    /** The next event's. */
    public Actor of(Event event) {
        long first = event.header().firstSequence();
        switch (event.body()) {
            case ControlEvent.InputBuffered it -> buffered(it.number(), it.input());
            case ControlEvent.BufferedInputTaken it -> {
                Actor known = waiting.remove(it.number());
                sender = known == null ? event.header().actor() : known;
                entry = first;
                return event.header().actor();
            }
            default -> {
                // Nothing that changes whose word it is.
            }
        }
        return entry == first ? sender : event.header().actor();
    }
}
