package dev.flowstone.testkit.scenario.check;

import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.EventJson;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.testkit.scenario.source.Cursor;
import dev.flowstone.testkit.scenario.source.Members;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/**
 * {@code events}: these come in this order; others may come between. An item is a kind, or a kind with some of the
 * event's members, beside which {@code node} is always one.
 */
record EventsCheck(List<Wanted> wanted) implements Check {
    private static final List<String> KINDS =
            kinds(EventBody.class).map(Class::getSimpleName).sorted().toList();

    /** Records under sealed interfaces, however deep. */
    private static Stream<Class<?>> kinds(Class<?> kind) {
        return kind.isSealed()
                ? Arrays.stream(kind.getPermittedSubclasses()).flatMap(EventsCheck::kinds)
                : Stream.of(kind);
    }

    EventsCheck {
        wanted = List.copyOf(wanted);
    }

    /** An event that is waited for. */
    record Wanted(String kind, JsonObject members) {
        boolean fits(Event event) {
            return event.body().kind().equals(kind)
                    && (members.members().isEmpty()
                            || JsonDiff.subset(members, body(event)).isEmpty());
        }

        @Override
        public String toString() {
            return members.members().isEmpty() ? kind : kind + " " + JsonDiff.shown(members);
        }
    }

    static Optional<Check> read(Cursor value) {
        List<Wanted> wanted = new ArrayList<>();
        for (Cursor item : value.items()) {
            if (item.value() instanceof JsonObject) {
                withMembers(item).ifPresent(wanted::add);
            } else {
                item.word(KINDS).ifPresent(kind -> wanted.add(new Wanted(kind, JsonObject.EMPTY)));
            }
        }
        return Optional.of(new EventsCheck(wanted));
    }

    private static Optional<Wanted> withMembers(Cursor item) {
        Members kinds = item.members(KINDS);
        if (kinds.all().size() != 1) {
            item.fault("one kind of event is expected here, with its members: {TaskFailed: {attempt: 1}}");
            return Optional.empty();
        }
        Cursor members = kinds.all().values().iterator().next();
        if (!(members.value() instanceof JsonObject object)) {
            members.expected("an object");
            return Optional.empty();
        }
        return Optional.of(new Wanted(members.name(), object));
    }

    @Override
    public List<String> differences(Observed run) {
        int next = 0;
        String after = "the beginning";
        for (Wanted one : wanted) {
            int found = find(one, run.events(), next);
            if (found < 0) {
                return missing(one, run.events(), next, after);
            }
            next = found + 1;
            after = "event " + next + ", " + run.events().get(found).body().kind();
        }
        return List.of();
    }

    private static int find(Wanted wanted, List<Event> events, int from) {
        for (int i = from; i < events.size(); i++) {
            if (wanted.fits(events.get(i))) {
                return i;
            }
        }
        return -1;
    }

    /** With what comes nearest: the events of that kind, whether too early or otherwise. */
    private static List<String> missing(Wanted wanted, List<Event> events, int from, String after) {
        List<String> lines = new ArrayList<>();
        lines.add("expected " + wanted + " after " + after + "; none came");
        for (int i = 0; i < events.size(); i++) {
            Event event = events.get(i);
            if (event.body().kind().equals(wanted.kind())) {
                lines.add("  event " + (i + 1) + (i < from ? " (before it)" : "") + " is " + wanted.kind() + " "
                        + JsonDiff.shown(body(event)));
            }
        }
        return lines;
    }

    /** As stored, with the node that it is about. */
    static JsonObject body(Event event) {
        JsonObject body = (JsonObject) EventJson.of(event).members().get("body");
        if (body == null || body.get("node") != null) {
            return body == null ? JsonObject.EMPTY : body;
        }
        JsonValue about = body.get("activation") == null ? body.get("fork") : body.get("activation");
        if (!(about instanceof JsonString activation)) {
            return body;
        }
        JsonObject.Builder builder = JsonObject.builder();
        body.members().forEach(builder::put);
        String name = activation.value();
        return builder.put("node", name.substring(0, Math.max(0, name.lastIndexOf('#'))))
                .build();
    }
}
