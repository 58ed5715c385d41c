package dev.flowstone.kernel.state;

import dev.flowstone.kernel.event.Times;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Grid;
import java.util.ArrayList;
import java.util.List;

/** The part of a snapshot about recurring timers; left out if there are none. */
final class TickSnapshot {
    private TickSnapshot() {}

    static void write(JsonObject.Builder out, Draft draft) {
        if (draft.ticks.isEmpty()) {
            return;
        }
        List<JsonValue> ticks = new ArrayList<>();
        draft.ticks.forEach((place, tick) -> ticks.add(JsonObject.builder()
                .put("scope", place.scope())
                .put("node", place.node().value())
                .put("visit", tick.visit())
                .put("done", Times.write(tick.done()))
                .put("dueAt", Times.write(tick.dueAt()))
                .put("grid", tick.grid().toJson())
                .put("missed", tick.missed())
                .build()));
        out.put("ticks", new JsonArray(ticks));
    }

    static void read(JsonCursor at, Draft draft) {
        for (JsonCursor tick : at.find("ticks").map(JsonCursor::items).orElse(List.of())) {
            draft.ticks = draft.ticks.with(
                    new TickPlace(tick.intValue("scope"), tick.as("node", NodeId::new)),
                    new Tick(
                            tick.intValue("visit"),
                            tick.as("done", Times::read),
                            tick.as("dueAt", Times::read),
                            Grid.read(tick.member("grid")),
                            tick.intValue("missed")));
        }
    }
}
