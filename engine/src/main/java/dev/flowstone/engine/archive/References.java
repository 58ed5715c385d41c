package dev.flowstone.engine.archive;

import dev.flowstone.engine.journal.StoredEntry;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** What events name by its hash, without which their run could not be folded or read. */
final class References {
    private static final String HASH = "[0-9a-f]{64}";

    private References() {}

    /** The program that a run begins with, and those that it moves to. */
    static Set<Sha256> programs(List<Event> events) {
        Set<Sha256> programs = new LinkedHashSet<>();
        for (Event event : events) {
            program(event.body()).ifPresent(programs::add);
        }
        return programs;
    }

    private static Optional<Sha256> program(EventBody body) {
        if (body instanceof EventBody.RunStarted started) {
            return Optional.of(started.program());
        }
        if (body instanceof ControlEvent.Migrated migrated) {
            return Optional.of(migrated.to());
        }
        return body instanceof ControlEvent.RunReset reset ? Optional.of(reset.program()) : Optional.empty();
    }

    /**
     * Values that are kept beside the events: {@code {"bytes": n, "stored": hash}}, wherever it stands, except in a value that
     * is somebody's own.
     */
    static Set<Sha256> payloads(StoredEntry entry) {
        Set<Sha256> hashes = new LinkedHashSet<>();
        Frames.split(entry.bytes()).ifPresent(frames -> frames.forEach(frame -> collect(frame, hashes)));
        return hashes;
    }

    private static void collect(JsonValue value, Set<Sha256> hashes) {
        if (value instanceof JsonArray array) {
            array.items().forEach(item -> collect(item, hashes));
        } else if (value instanceof JsonObject object) {
            Map<String, JsonValue> members = object.members();
            if (members.size() == 2
                    && members.get("bytes") instanceof JsonNumber
                    && members.get("stored") instanceof JsonString hash
                    && hash.value().matches(HASH)) {
                hashes.add(Sha256.parse(hash.value()));
                return;
            }
            members.forEach((name, member) -> {
                if (!name.equals("inline")) {
                    collect(member, hashes);
                }
            });
        }
    }
}
