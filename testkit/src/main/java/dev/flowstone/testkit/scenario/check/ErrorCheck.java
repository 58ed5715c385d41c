package dev.flowstone.testkit.scenario.check;

import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.testkit.scenario.source.Cursor;
import dev.flowstone.testkit.scenario.source.Members;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/** {@code error}: why the run failed, or why it was refused. What is empty may be anything. */
record ErrorCheck(
        Optional<String> code, Optional<String> node, Optional<String> message, Optional<String> messageContains)
        implements Check {
    private static final List<String> KEYS = List.of("code", "node", "message", "messageContains");

    static Optional<Check> read(Cursor value) {
        Members members = value.members(KEYS);
        if (members.isEmpty()) {
            return Optional.empty();
        }
        return Optional.of(new ErrorCheck(
                text(members, "code"),
                text(members, "node"),
                text(members, "message"),
                text(members, "messageContains")));
    }

    private static Optional<String> text(Members members, String name) {
        return members.find(name).flatMap(Cursor::text);
    }

    /** Why a run failed. */
    private record Failure(String code, String message, String node) {
        static Failure of(TaskError error, Optional<NodeId> node) {
            return new Failure(
                    error.code(), error.message(), node.map(NodeId::value).orElse(""));
        }
    }

    @Override
    public List<String> differences(Observed run) {
        Optional<Failure> found = failure(run);
        if (found.isEmpty()) {
            return List.of("there is no error; the run is " + run.status());
        }
        Failure failure = found.get();
        List<String> lines = new ArrayList<>();
        compare(lines, "code", code, failure.code());
        compare(lines, "node", node, failure.node());
        compare(lines, "message", message, failure.message());
        messageContains
                .filter(part -> !failure.message().contains(part))
                .ifPresent(part ->
                        lines.add("message  expected something with '" + part + "', was '" + failure.message() + "'"));
        return lines;
    }

    private static void compare(List<String> lines, String what, Optional<String> expected, String actual) {
        expected.filter(text -> !text.equals(actual))
                .ifPresent(text -> lines.add(what + "  expected '" + text + "', was '" + actual + "'"));
    }

    /** {@code " (CODE: message at node)"}; empty if nothing failed. */
    static String reason(Observed run) {
        return failure(run)
                .map(it ->
                        " (" + it.code() + ": " + it.message() + (it.node().isEmpty() ? "" : ", at " + it.node()) + ")")
                .orElse("");
    }

    private static Optional<Failure> failure(Observed run) {
        if (run.refusal().isPresent()) {
            Observed.Refusal refusal = run.refusal().get();
            return Optional.of(new Failure(refusal.code(), refusal.message(), ""));
        }
        Optional<Failure> failed = run.all(EventBody.RunFailed.class)
                .map(it -> Failure.of(it.error(), it.node()))
                .findFirst();
        return failed.or(() -> run.all(EventBody.RunFailing.class)
                .map(it -> Failure.of(it.error(), it.node()))
                .findFirst());
    }
}
