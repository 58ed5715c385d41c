package dev.flowstone.testkit.scenario.source;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonPointer;
import dev.flowstone.kernel.json.JsonValue;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.snakeyaml.engine.v2.api.LoadSettings;
import org.snakeyaml.engine.v2.api.lowlevel.Parse;
import org.snakeyaml.engine.v2.events.AliasEvent;
import org.snakeyaml.engine.v2.events.CollectionStartEvent;
import org.snakeyaml.engine.v2.events.DocumentStartEvent;
import org.snakeyaml.engine.v2.events.Event;
import org.snakeyaml.engine.v2.events.MappingStartEvent;
import org.snakeyaml.engine.v2.events.NodeEvent;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.events.SequenceStartEvent;
import org.snakeyaml.engine.v2.events.StreamEndEvent;
import org.snakeyaml.engine.v2.exceptions.Mark;
import org.snakeyaml.engine.v2.exceptions.MarkedYamlEngineException;
import org.snakeyaml.engine.v2.exceptions.YamlEngineException;

/**
 * One YAML document as JSON values with places. Built from the parser's events, which come one at a time, so that a text is
 * given up at the first value beyond a bound and nothing is ever built of what it asks for. One instance per text.
 */
final class YamlTree {
    private static final int MAX_ALIASES = 1_000;

    private final Map<String, Anchored> anchors = new HashMap<>();
    private final PlaceMap places = new PlaceMap();
    private Iterator<Event> events = List.<Event>of().iterator();
    private int values;
    private int aliases;

    /** What an anchor names, and how many values it holds. */
    private record Anchored(JsonValue value, int size) {}

    JsonParser.Located read(String text) throws SourceException {
        LoadSettings settings = LoadSettings.builder()
                .setUseMarks(true)
                .setParseComments(false)
                .setCodePointLimit(Sources.MAX_BYTES)
                .build();
        try {
            events = new Parse(settings).parseString(text).iterator();
            events.next();
            Event first = events.next();
            if (first instanceof StreamEndEvent) {
                throw new SourceException("the file is empty", 1, 1);
            }
            JsonValue value = value(events.next(), "", 0);
            events.next();
            Event after = events.next();
            if (after instanceof DocumentStartEvent) {
                throw refused(after, "a second document begins here; one file holds one");
            }
            return new LocatedYaml(value, places);
        } catch (MarkedYamlEngineException e) {
            Optional<Mark> mark = e.getProblemMark().or(e::getContextMark);
            throw new SourceException(
                    "this is no YAML: " + e.getProblem(),
                    mark.map(Mark::getLine).orElse(0) + 1,
                    mark.map(Mark::getColumn).orElse(0) + 1);
        } catch (YamlEngineException e) {
            throw new SourceException("this is no YAML: " + e.getMessage(), 1, 1);
        }
    }

    private JsonValue value(Event event, String pointer, int depth) throws SourceException {
        places.value(pointer, line(event), column(event));
        if (event instanceof AliasEvent alias) {
            return alias(alias);
        }
        int before = values;
        count(event, 1);
        JsonValue value = switch (event) {
            case ScalarEvent scalar -> YamlScalar.value(scalar);
            case SequenceStartEvent start -> sequence(untagged(start), pointer, depth + 1);
            case MappingStartEvent start -> mapping(untagged(start), pointer, depth + 1);
            default -> throw refused(event, "a value is expected here");
        };
        if (event instanceof NodeEvent node && node.getAnchor().isPresent()) {
            anchors.put(node.getAnchor().get().getValue(), new Anchored(value, values - before));
        }
        return value;
    }

    private JsonValue alias(AliasEvent event) throws SourceException {
        String name = event.getAlias().getValue();
        Anchored anchored = anchors.get(name);
        if (anchored == null) {
            throw refused(event, "*" + name + " names nothing that stands complete before it");
        }
        if (++aliases > MAX_ALIASES) {
            throw refused(event, "more than " + MAX_ALIASES + " aliases");
        }
        count(event, anchored.size());
        return anchored.value();
    }

    private JsonValue sequence(CollectionStartEvent start, String pointer, int depth) throws SourceException {
        bound(start, depth);
        List<JsonValue> items = new ArrayList<>();
        for (Event next = events.next(); next.getEventId() != Event.ID.SequenceEnd; next = events.next()) {
            items.add(value(next, pointer + "/" + items.size(), depth));
        }
        return new JsonArray(items);
    }

    private JsonValue mapping(CollectionStartEvent start, String pointer, int depth) throws SourceException {
        bound(start, depth);
        Map<String, JsonValue> members = new LinkedHashMap<>();
        for (Event next = events.next(); next.getEventId() != Event.ID.MappingEnd; next = events.next()) {
            String name = name(next);
            String member = pointer + "/" + JsonPointer.escape(name);
            if (members.containsKey(name)) {
                throw refused(next, "the key '" + name + "' stands here twice");
            }
            places.name(member, line(next), column(next));
            members.put(name, JsonNull.NULL);
            members.put(name, value(events.next(), member, depth));
        }
        try {
            return JsonObject.of(members);
        } catch (IllegalArgumentException e) {
            throw refused(start, String.valueOf(e.getMessage()));
        }
    }

    private static String name(Event event) throws SourceException {
        if (event instanceof ScalarEvent scalar && scalar.getAnchor().isEmpty()) {
            return YamlScalar.text(scalar);
        }
        throw refused(event, "a key is a plain text");
    }

    private static CollectionStartEvent untagged(CollectionStartEvent start) throws SourceException {
        if (start.getTag().isPresent()) {
            throw refused(start, "tags such as " + start.getTag().get() + " are not taken");
        }
        return start;
    }

    private static void bound(Event event, int depth) throws SourceException {
        if (depth > Sources.MAX_DEPTH) {
            throw refused(event, "more than " + Sources.MAX_DEPTH + " lists and objects in each other");
        }
    }

    private void count(Event event, int more) throws SourceException {
        values += more;
        if (values > Sources.MAX_VALUES) {
            throw refused(event, "more than " + Sources.MAX_VALUES + " values, those that aliases repeat included");
        }
    }

    static SourceException refused(Event event, String message) {
        return new SourceException(message, line(event), column(event));
    }

    private static int line(Event event) {
        return event.getStartMark().map(Mark::getLine).orElse(0) + 1;
    }

    private static int column(Event event) {
        return event.getStartMark().map(Mark::getColumn).orElse(0) + 1;
    }
}
