package dev.flowstone.server.cli;

import static java.util.stream.Collectors.joining;

import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.deploy.Contents;
import dev.flowstone.server.deploy.DeployException;
import dev.flowstone.server.deploy.Flaw;
import dev.flowstone.server.deploy.Piece;
import dev.flowstone.server.deploy.Plan;
import dev.flowstone.server.deploy.Step;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;

/** Tells of a deployment: the plan first, then each step as it is done. With JSON it is one object at the end. */
final class DeployText {
    private final Terminal terminal;
    private final Path folder;
    private final String deployment;
    private final boolean json;
    private final Map<Step, String> results = new HashMap<>();
    private List<Step> steps = List.of();

    DeployText(Terminal terminal, Path folder, String deployment, boolean json) {
        this.terminal = terminal;
        this.folder = folder;
        this.deployment = deployment;
        this.json = json;
    }

    /** On standard error, as {@code validate} does. */
    void flaws(Contents contents) {
        for (Flaw flaw : contents.flaws()) {
            String place = flaw.fault().line() == 0
                    ? ""
                    : flaw.fault().line() + ":" + flaw.fault().column() + ":";
            Definitions.print(terminal, flaw.file() + ":" + place, flaw.fault());
        }
        long errors = contents.flaws().stream().filter(Flaw::isError).count();
        if (errors > 0) {
            terminal.err().println((errors == 1 ? "1 fault" : errors + " faults") + "; nothing was sent");
        }
        for (List<String> circle : contents.circles()) {
            terminal.err()
                    .println(Printable.text("Workflows that call each other are published one after another: "
                            + String.join(", ", circle) + "; until the last is there, calls of it fail"));
        }
    }

    void plan(Plan plan) {
        steps = plan.steps();
        if (json) {
            return;
        }
        Table table = new Table(List.of("CHANGE", "KIND", "NAME", "FILE", "WHY"), Set.of("NAME", "WHY"));
        List<Step> told = steps.stream()
                .filter(step -> step.change() != Step.Change.UNCHANGED)
                .toList();
        for (Step step : told) {
            table.add(List.of(
                    step.change().word(),
                    step.kind().word(),
                    step.name(),
                    step.piece().map(Piece::file).map(this::below).orElse(""),
                    step.why()));
        }
        if (!told.isEmpty()) {
            table.print(terminal);
        }
        String counts = plan.counts().entrySet().stream()
                .map(entry -> entry.getValue() + " " + entry.getKey().word())
                .collect(joining(", "));
        String sum = plan.isPending() ? "Plan" : plan.hasConflicts() ? "Conflict" : "Nothing to do";
        terminal.out().println(sum + ": " + counts + ".");
        if (plan.hasConflicts()) {
            terminal.err().println("Nothing was done: first decide about each conflict.");
        }
    }

    /** Within the folder, so that it fits. */
    private String below(Path file) {
        Path from = folder.normalize();
        return (file.startsWith(from) ? from.relativize(file) : file).toString();
    }

    /** A step is done. */
    void done(Step step, String result) {
        results.put(step, result);
        if (!json) {
            terminal.out()
                    .println(terminal.green("✓ ")
                            + Printable.text(
                                    step.change().word() + " " + step.kind().word() + " " + step.name() + ": " + result)
                            + terminal.dim("  (" + results.size() + " of " + pending() + ")"));
        }
    }

    private long pending() {
        return steps.stream().filter(step -> step.change().isPending()).count();
    }

    /** Answers the exit code. */
    int end(int exit) {
        if (json) {
            terminal.out().println(CanonicalJson.exactText(toJson()));
        } else if (!results.isEmpty()) {
            terminal.out().println("Applied: " + results.size() + " of " + pending() + ".");
        }
        return exit;
    }

    private JsonObject toJson() {
        List<JsonValue> changes = new ArrayList<>();
        for (Step step : steps) {
            changes.add(JsonObject.builder()
                    .put("change", step.change().name().toLowerCase(Locale.ROOT))
                    .put("kind", step.kind().word())
                    .put("name", step.name())
                    .putIfPresent("file", step.piece().map(Piece::file).map(Object::toString))
                    .put("why", step.why())
                    .put("done", results.containsKey(step))
                    .put("result", results.getOrDefault(step, ""))
                    .build());
        }
        return JsonObject.builder()
                .put("deployment", deployment)
                .put("changes", new JsonArray(changes))
                .put("pending", pending())
                .put("done", results.size())
                .build();
    }

    /** The server refused, or nobody answered; answers the exit code. */
    int stopped(DeployException e) {
        Verb verb = Verb.get("apply", "Deploy.", "", new Report.Change(), "apply");
        AnswerText answers = new AnswerText(terminal, verb, Map.of(), false);
        answers.complain("stopped at " + e.getMessage() + ", after " + results.size() + " of " + pending() + ":");
        int exit = answers.tell(e.answer());
        if (e.isAboutKey()) {
            terminal.err()
                    .println("    → an interrupted call has begun to make it, and it was removed or changed since:"
                            + " --overwrite makes another; `" + Hints.COMMAND
                            + " triggers list` shows whether one is left");
        }
        for (Throwable more : e.getSuppressed()) {
            terminal.err().println("    → this failed, too: " + Printable.text(String.valueOf(more.getMessage())));
        }
        if (!steps.isEmpty()) {
            terminal.err().println("What is done stays done; apply the folder again, and it goes on.");
        }
        return end(exit);
    }
}
