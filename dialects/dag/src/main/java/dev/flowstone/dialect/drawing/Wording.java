package dev.flowstone.dialect.drawing;

import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Edge;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Routing;
import java.time.Duration;
import java.util.Optional;

/** What stands in a drawing: short enough to read, never a line break or a control character. */
final class Wording {
    private static final int TITLE = 30;
    private static final int DETAIL = 36;
    private static final int CONDITION = 34;

    private Wording() {}

    /** A workflow's name for people. */
    static String title(Program program) {
        return program.metadata().get("displayName") instanceof JsonString name
                        && !name.value().isBlank()
                ? clean(name.value(), 80)
                : clean(program.workflow().value(), 80);
    }

    static String title(Node node) {
        return switch (node) {
            case Node.Start start -> "start";
            case Node.End end -> "end · " + clean(end.outcome().name(), TITLE);
            case Node.Task task -> clean(task.id().value(), TITLE);
            case Node.Timer timer -> clean(timer.id().value(), TITLE);
        };
    }

    /** What a node does; empty if its title says it. */
    static String detail(Node node) {
        return switch (node) {
            case Node.Start start -> "";
            case Node.End end -> "";
            case Node.Task task -> clean(task.handler().value(), DETAIL);
            case Node.Timer timer -> "wait " + clean(wait(timer.duration()), DETAIL - 5);
        };
    }

    /** What an edge is for; empty for the plain way on. */
    static String label(Program program, Edge edge) {
        String on = outcome(edge);
        if (edge.otherwise() && hasAlternative(program, edge)) {
            on = on.isEmpty() ? "else" : "else " + on;
        }
        String text = edge.when().map(when -> clean(when, CONDITION)).orElse("");
        String both = on.isEmpty() || text.isEmpty() ? on + text : on + " · " + text;
        boolean numbered = program.node(edge.from()).routing() == Routing.FIRST
                && program.outgoing(edge.from()).size() > 1;
        int number = 1 + program.outgoing(edge.from()).indexOf(edge);
        return numbered ? (both.isEmpty() ? number + ". otherwise" : number + ". " + both) : both;
    }

    private static String outcome(Edge edge) {
        if (edge.on().equals(Outcome.SUCCESS)) {
            return "";
        }
        return edge.on().equals(Outcome.ALWAYS)
                ? "always"
                : "on " + clean(edge.on().name(), TITLE);
    }

    private static boolean hasAlternative(Program program, Edge edge) {
        return program.outgoing(edge.from()).stream()
                .anyMatch(other -> !other.id().equals(edge.id()) && other.on().equals(edge.on()));
    }

    /** All of it, for a tooltip. */
    static String whole(Edge edge) {
        return edge.from() + " → " + edge.to() + " on " + edge.on()
                + edge.when().map(when -> " when " + when).orElse("");
    }

    /** At most so many characters, in one line. */
    static String clean(String text, int length) {
        StringBuilder out = new StringBuilder();
        text.codePoints()
                .limit(length + 1L)
                .map(c -> Character.isWhitespace(c) ? ' ' : c)
                .map(c -> shown(c) ? c : '\uFFFD')
                .forEach(out::appendCodePoint);
        if (out.codePointCount(0, out.length()) > length) {
            out.setLength(out.offsetByCodePoints(0, length - 1));
            out.append('…');
        }
        return out.toString();
    }

    private static boolean shown(int c) {
        int type = Character.getType(c);
        return type != Character.CONTROL
                && type != Character.FORMAT
                && type != Character.SURROGATE
                && type != Character.UNASSIGNED
                && type != Character.PRIVATE_USE;
    }

    private static String wait(JsonValue duration) {
        return switch (duration) {
            case JsonNumber millis -> millis(millis);
            case JsonString text -> iso(text.value()).orElse(text.value());
            default -> "?";
        };
    }

    private static String millis(JsonNumber millis) {
        double value = millis.doubleValue();
        return value < 1e15 ? spoken(Duration.ofMillis((long) value)) : millis + " ms";
    }

    private static Optional<String> iso(String text) {
        try {
            return Optional.of(spoken(Duration.parse(text)));
        } catch (java.time.format.DateTimeParseException e) {
            return Optional.empty();
        }
    }

    /** {@code 1 h 30 min}: the largest two units. */
    private static String spoken(Duration duration) {
        long[] amounts = {
            duration.toDays(),
            duration.toHoursPart(),
            duration.toMinutesPart(),
            duration.toSecondsPart(),
            duration.toMillisPart()
        };
        String[] units = {"d", "h", "min", "s", "ms"};
        StringBuilder text = new StringBuilder();
        int shown = 0;
        for (int i = 0; i < amounts.length && shown < 2; i++) {
            if (amounts[i] > 0) {
                text.append(shown++ == 0 ? "" : " ")
                        .append(amounts[i])
                        .append(' ')
                        .append(units[i]);
            }
        }
        return shown == 0 ? "0 s" : text.toString();
    }
}
