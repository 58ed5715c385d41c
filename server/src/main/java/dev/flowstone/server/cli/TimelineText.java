package dev.flowstone.server.cli;

import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.server.execution.Execution;
import dev.flowstone.server.execution.ExecutionStatus;
import dev.flowstone.server.execution.Payloads;
import dev.flowstone.server.timeline.Durations;
import dev.flowstone.server.timeline.Line;
import dev.flowstone.server.timeline.Timeline;
import java.time.Duration;
import java.util.Locale;

/** The timeline for a person: time since start, node, what happened, how long it took, what came of it. */
final class TimelineText implements EventPrinter {
    private static final int NODE_WIDTH = 20;
    private static final int DETAIL = 160;
    private static final int OUTPUT = 4_000;

    private final Terminal terminal;
    private final String again;
    private final Timeline timeline = new Timeline();

    /**
     * A timeline.
     *
     * @param again the options that name the same database in another call
     */
    TimelineText(Terminal terminal, String again) {
        this.terminal = terminal;
        this.again = again;
    }

    @Override
    public void event(Event event) {
        for (Line line : timeline.lines(event)) {
            terminal.out().println(text(line));
        }
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
    public void result(Execution execution, Payloads payloads) {
        ExecutionStatus status = ExecutionStatus.of(execution.row().status());
        RunId run = execution.row().key().run();
        terminal.out().println();
        switch (status) {
            case SUCCEEDED -> terminal.out().println(terminal.green("Succeeded") + took(execution));
            case FAILED ->
                terminal.out()
                        .println(terminal.red("Failed")
                                + took(execution)
                                + execution
                                        .failedNode()
                                        .map(node -> " at " + Printable.text(node))
                                        .orElse("")
                                + execution
                                        .error()
                                        .map(it -> ": " + Printable.text(it.code() + ", " + it.message()))
                                        .orElse(""));
            case PENDING, RUNNING, CANCELLED -> terminal.out().println(status);
        }
        execution.output().ifPresent(output -> terminal.out().println(output(output, payloads)));
        terminal.out().println();
        execution
                .error()
                .flatMap(error -> ExplainCommand.of(error.code()))
                .ifPresent(call -> terminal.out().println(terminal.dim("What went wrong    ") + call));
        terminal.out().println(terminal.dim("Look at it again   ") + Hints.COMMAND + " show " + run + again);
        terminal.out()
                .println(terminal.dim("Draw what it did   ") + Hints.COMMAND + " graph " + run + again
                        + " --output run.svg");
        terminal.out().println(terminal.dim("Check its chain    ") + Hints.COMMAND + " verify " + run + again);
    }

    private static String took(Execution execution) {
        return execution
                .row()
                .endedAt()
                .map(end ->
                        " in " + Durations.text(Duration.between(execution.row().startedAt(), end)))
                .orElse("");
    }

    private static String output(Payload output, Payloads payloads) {
        return Printable.cut(CanonicalJson.exactText(payloads.value(output)), OUTPUT);
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
