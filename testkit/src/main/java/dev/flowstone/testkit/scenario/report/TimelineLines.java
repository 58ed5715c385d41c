package dev.flowstone.testkit.scenario.report;

import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventJson;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/** A run's events for a person: virtual time since the start, kind, activation, what else it says in brief. */
public final class TimelineLines {
    private static final int FIRST = 40;
    private static final int LAST = 80;
    private static final int BRIEF = 110;

    /** What nobody reads in a timeline: it stands elsewhere in the line, or is a hash. */
    private static final Set<String> LEFT_OUT = Set.of("activation", "key", "program");

    private TimelineLines() {}

    /** Of a long run its beginning and its end. */
    public static List<String> of(List<Event> events) {
        List<String> lines = new ArrayList<>();
        for (int i = 0; i < events.size(); i++) {
            if (i == FIRST && events.size() > FIRST + LAST) {
                i = events.size() - LAST;
                lines.add("… " + (i - FIRST) + " events …");
            }
            lines.add(line(events.get(i), events.getFirst().header().eventTime()));
        }
        return lines;
    }

    private static String line(Event event, Instant start) {
        JsonObject body = (JsonObject) EventJson.of(event).members().getOrDefault("body", JsonObject.EMPTY);
        String activation = body.get("activation") instanceof JsonString text ? " " + text.value() : "";
        JsonObject.Builder rest = JsonObject.builder();
        body.members().forEach((name, value) -> {
            if (!LEFT_OUT.contains(name)) {
                rest.put(name, value);
            }
        });
        return "%-15s %s%s  %s"
                .formatted(
                        Duration.between(start, event.header().eventTime()),
                        event.body().kind(),
                        activation,
                        brief(rest.build()))
                .stripTrailing();
    }

    private static String brief(JsonValue value) {
        String text = CanonicalJson.exactText(value);
        if (text.equals("{}")) {
            return "";
        }
        return text.codePointCount(0, text.length()) <= BRIEF
                ? text
                : text.substring(0, text.offsetByCodePoints(0, BRIEF)) + "…";
    }
}
