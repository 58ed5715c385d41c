package dev.flowstone.kernel.state;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.event.EventHeader;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonObject;
import java.util.Optional;

/**
 * On whose word an event came about: its header's actor, but for what buffered input causes, which is its own sender's
 * doing and not that of whoever resumed the run (R25).
 *
 * @param entry number of the first event of the entry in which it is so
 */
record Speaker(Actor actor, Optional<String> authorization, long entry) {
    /** Of an event in that entry. */
    static Speaker of(Draft draft, EventHeader header) {
        Speaker taken = draft.speaker;
        return taken != null && taken.entry() == header.firstSequence()
                ? taken
                : new Speaker(header.actor(), header.authorization(), header.firstSequence());
    }

    /** Of a buffered input, which holds the stamp that it came with. */
    static Speaker of(JsonObject input, EventHeader header) {
        JsonCursor stamp = JsonCursor.of(input).member("stamp");
        return new Speaker(
                stamp.as("actor", Actor::parse),
                stamp.find("authorization").map(JsonCursor::string),
                header.firstSequence());
    }
}
