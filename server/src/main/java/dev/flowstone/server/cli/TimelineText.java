package dev.flowstone.server.cli;

import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventJson;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonShapeException;
import dev.flowstone.server.execution.ExecutionStatus;
import dev.flowstone.server.timeline.Durations;
import dev.flowstone.server.timeline.Line;
import dev.flowstone.server.timeline.Timeline;
import java.time.Duration;
import java.util.Locale;
import java.util.Optional;

/** The timeline for a person: time since start, node, what happened, how long it took, what came of it. */
final class TimelineText implements EventPrinter {
    private static final int NODE_WIDTH = 20;
    private static final int DETAIL = 160;
    private static final int OUTPUT = 4_000;

    private final Terminal terminal;
    private final NextSteps next;
    private final Timeline timeline = new Timeline();

    TimelineText(Terminal terminal, NextSteps next) {
        this.terminal = terminal;
        this.next = next;
    }

    @Override
    public void event(Event event) {
        for (Line line : timeline.lines(event)) {
            terminal.out().println(text(line));
        }
    }

    /** One that a later release told in a form of its own is named, and no more. */
    @Override
    public void event(JsonObject event) {
        try {
            Optional<Event> read = EventJson.read(event);
            if (read.isPresent()) {
                event(read.get());
                return;
            }
        } catch (JsonShapeException e) {
            // What is no event is named, too.
        }
        terminal.out()
                .println(Printable.text("  (event " + AnswerText.cell(event.find("sequence_number")) + " is a "
                        + AnswerText.cell(event.find("kind")) + ", as this release doesn't know it)"));
    }

    private String text(Line line) {
        StringBuilder text = new StringBuilder();
        text.append(terminal.dim(String.format(Locale.ROOT, "%9s", seconds(line.sinceStart()))))
                .append("  ")
                .append(terminal.bold(padded(Printable.cut(line.node(), NODE_WIDTH), NODE_WIDTH)))
                .append("  ")
                .append(painted(line, padded(line.what(), 9)));
        line.took().ifPresent(took -> text.append("  ").append(Durations.text(took)));
        line.detail().ifPresent(detail -> text.append("  ").append(Printable.cut(detail, DETAIL)));
        line.value().ifPresent(value -> text.append("  ").append(terminal.dim(Printable.brief(value))));
        return text.toString().stripTrailing();
    }

    @Override
    public void result(RunEnd end) {
        terminal.out().println();
        terminal.out().println(end.succeeded() ? succeeded(end) : other(end));
        end.output()
                .ifPresent(output -> terminal.out().println(Printable.cut(CanonicalJson.exactText(output), OUTPUT)));
        terminal.out().println();
        end.error()
                .flatMap(error -> ExplainCommand.of(AnswerText.cell(error.find("code"))))
                .ifPresent(call -> terminal.out().println(terminal.dim("What went wrong    ") + call));
        next.print(terminal, end.run());
    }

    private String succeeded(RunEnd end) {
        return terminal.green(end.status()) + took(end);
    }

    private String other(RunEnd end) {
        if (!end.status().equals(ExecutionStatus.FAILED.toString())) {
            return Printable.text(end.status());
        }
        return terminal.red("Failed")
                + took(end)
                + end.failedNode().map(node -> " at " + Printable.text(node)).orElse("")
                + end.error()
                        .map(it -> ": "
                                + Printable.text(
                                        AnswerText.cell(it.find("code")) + ", " + AnswerText.cell(it.find("message"))))
                        .orElse("");
    }

    private static String took(RunEnd end) {
        return end.took().map(time -> " in " + Durations.text(time)).orElse("");
    }

    private String painted(Line line, String text) {
        return switch (line.tone()) {
            case QUIET -> text;
            case GOOD -> terminal.green(text);
            case WARNING -> terminal.yellow(text);
            case BAD -> terminal.red(text);
        };
    }

    private static String seconds(Duration duration) {
        return String.format(Locale.ROOT, "%.3f s", duration.toMillis() / 1_000.0);
    }

    private static String padded(String text, int width) {
        int missing = width - text.codePointCount(0, text.length());
        return missing > 0 ? text + " ".repeat(missing) : text;
    }
}
