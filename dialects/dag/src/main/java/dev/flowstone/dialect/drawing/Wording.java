package dev.flowstone.dialect.drawing;

import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Branches;
import dev.flowstone.kernel.program.Due;
import dev.flowstone.kernel.program.Edge;
import dev.flowstone.kernel.program.JoinPolicy;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Routing;
import dev.flowstone.kernel.program.Source;
import dev.flowstone.kernel.program.Target;
import java.time.Duration;
import java.util.Optional;
import java.util.TreeSet;

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
            case Node.Task _,
                    Node.Timer _,
                    Node.HumanTask _,
                    Node.Choice _,
                    Node.Assign _,
                    Node.Fork _,
                    Node.Join _,
                    Node.Await _,
                    Node.Emit _,
                    Node.Call _ -> clean(node.id().value(), TITLE);
        };
    }

    /** What a node does; empty if its title says it. */
    static String detail(Node node) {
        return switch (node) {
            case Node.Start start -> "";
            case Node.End end -> "";
            case Node.Task task -> clean(task.handler().value(), DETAIL);
            case Node.Timer timer -> due(timer.due());
            case Node.HumanTask _ -> "a person decides";
            case Node.Choice _ -> "choice";
            case Node.Assign assign ->
                clean("set " + String.join(", ", new TreeSet<>(assign.values().keySet())), DETAIL);
            case Node.Fork fork -> fork.branches() instanceof Branches.Each ? "for each" : "fork";
            case Node.Join join -> "join " + clean(policy(join.policy()), DETAIL - 5);
            case Node.Await await ->
                clean(
                        switch (await.source()) {
                            case Source.Channel channel -> "await " + channel.type();
                            case Source.Permit _ -> "acquire";
                        },
                        DETAIL);
            case Node.Emit emit ->
                clean(
                        switch (emit.target()) {
                            case Target.Channel channel -> "send " + channel.type();
                            case Target.Broadcast broadcast -> "broadcast " + broadcast.type();
                            case Target.Release _ -> "release";
                        },
                        DETAIL);
            case Node.Call call ->
                clean((call.waits() ? "call " : "spawn ") + call.workflow().value(), DETAIL);
        };
    }

    private static String due(Due due) {
        return switch (due) {
            case Due.After after -> "wait " + clean(wait(after.duration()), DETAIL - 5);
            case Due.At at -> "until " + clean(text(at.instant()), DETAIL - 6);
            case Due.Cron cron -> clean(text(cron.expression()), DETAIL);
            case Due.Every every -> "every " + clean(wait(every.duration()), DETAIL - 6);
        };
    }

    private static String text(JsonValue value) {
        return value instanceof JsonString text ? text.value() : "…";
    }

    private static String policy(JoinPolicy policy) {
        return switch (policy) {
            case JoinPolicy.All _ -> "all";
            case JoinPolicy.Count count -> count.branches() == 1 ? "any" : String.valueOf(count.branches());
            case JoinPolicy.Majority _ -> "majority";
            case JoinPolicy.Ended ended -> ended.branches() + " ended";
        };
    }

    /** What an edge is for; empty for the plain way on. */
    static String label(Program program, Edge edge) {
        if (ReadingOrder.isEntry(program, edge)) {
            return clean(ReadingOrder.branch(program, edge), CONDITION);
        }
        String on = outcome(edge);
        if (edge.otherwise() && hasAlternative(program, edge)) {
            on = on.isEmpty() ? "else" : "else " + on;
        }
        String text = condition(edge).map(it -> clean(it, CONDITION)).orElse("");
        String both = on.isEmpty() || text.isEmpty() ? on + text : on + " · " + text;
        boolean numbered = program.node(edge.from()).routing() == Routing.FIRST
                && program.outgoing(edge.from()).size() > 1;
        int number = 1 + program.outgoing(edge.from()).indexOf(edge);
        return numbered ? (both.isEmpty() ? number + ". otherwise" : number + ". " + both) : both;
    }

    private static Optional<String> condition(Edge edge) {
        return edge.policy().map(name -> "policy " + name).or(edge::when);
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
                + condition(edge).map(it -> " when " + it).orElse("");
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
