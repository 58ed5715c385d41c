package dev.flowstone.server.cli;

import dev.flowstone.engine.read.RunFilter;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.server.config.FlowstoneConfig;
import dev.flowstone.server.execution.ExecutionStatus;
import dev.flowstone.server.execution.Starts;
import dev.flowstone.server.node.ReadAccess;
import dev.flowstone.server.timeline.Durations;
import java.time.Duration;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code runs}: the newest runs. */
@Command(
        name = "runs",
        header = "List runs, the newest first; or act on one.",
        description = "The list is read from the database; the commands speak to a running server.%n",
        synopsisSubcommandLabel = "[COMMAND]",
        commandListHeading = "%nCommands (each has a --help of its own):%n",
        footer = {
            "",
            "Examples:",
            "  flowstone runs",
            "  flowstone runs --status Failed --limit 5",
            "  flowstone runs --workflow order --json",
            "  flowstone runs suspend RUN --reason audit",
            "  flowstone runs incidents RUN",
            "",
            Exit.HELP
        })
final class RunsCommand implements Callable<Integer>, Group {
    /** Of a name and its version; a longer name is cut. */
    private static final int WORKFLOW_WIDTH = 40;

    private final Terminal terminal;

    @Mixin
    private StoreOptions store = new StoreOptions();

    @Option(names = "--workflow", paramLabel = "ID", description = "Only runs of this workflow.")
    private @Nullable String workflow;

    @Option(names = "--status", paramLabel = "STATUS", description = "Only Running, Succeeded or Failed ones.")
    private @Nullable String status;

    @Option(
            names = "--limit",
            paramLabel = "N",
            defaultValue = "20",
            description = "At most so many, up to 1000 (default: ${DEFAULT-VALUE}).")
    private int limit = 20;

    @Option(names = "--before", paramLabel = "RUN", description = "Only runs older than this one: the next page.")
    private @Nullable String before;

    @Option(names = "--json", description = "Print one JSON object for each run.")
    private boolean json;

    RunsCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public List<Verb> verbs() {
        return RunVerbs.all();
    }

    @Override
    public Integer call() throws Exception {
        if (limit < 1 || limit > 1_000) {
            throw new UsageException("--limit takes 1 to 1000");
        }
        RunFilter filter = filter();
        Optional<RunId> older = before == null ? Optional.empty() : Optional.of(RunArgument.parse(before));
        FlowstoneConfig config = store.config();
        try (Stop stop = new Stop()) {
            ReadAccess access = stop.opening(() -> ReadAccess.open(config));
            List<RunRow> rows = access.runs().runs(store.tenant(), filter, older, limit);
            if (json) {
                rows.forEach(row -> terminal.out().println(CanonicalJson.exactText(json(row))));
            } else {
                print(rows);
            }
        }
        return Exit.SUCCEEDED;
    }

    private RunFilter filter() throws UsageException {
        Set<RunStatus> statuses = Set.of();
        if (status != null) {
            statuses = ExecutionStatus.parse(status)
                    .map(ExecutionStatus::runStatuses)
                    .filter(found -> !found.isEmpty())
                    .orElseThrow(() -> new UsageException("--status takes Running, Succeeded or Failed"));
        }
        try {
            return new RunFilter(Optional.ofNullable(workflow).map(WorkflowId::new), statuses);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--workflow: " + e.getMessage());
        }
    }

    private void print(List<RunRow> rows) {
        if (rows.isEmpty()) {
            terminal.err().println("No runs.");
            return;
        }
        int width = rows.stream().mapToInt(row -> version(row).length()).max().orElse(0);
        String form = "%-36s  %-" + Math.max(width, "WORKFLOW".length()) + "s  %-9s  %-20s  %s";
        terminal.out()
                .println(
                        terminal.dim(String.format(Locale.ROOT, form, "RUN", "WORKFLOW", "STATUS", "STARTED", "TOOK")));
        for (RunRow row : rows) {
            String took = row.endedAt()
                    .map(end -> Durations.text(Duration.between(row.startedAt(), end)))
                    .orElse("");
            terminal.out()
                    .println(String.format(
                                    Locale.ROOT,
                                    form,
                                    row.key().run(),
                                    version(row),
                                    ExecutionStatus.of(row.status()),
                                    row.startedAt().truncatedTo(ChronoUnit.SECONDS),
                                    took)
                            .stripTrailing());
        }
        if (rows.size() == limit) {
            terminal.err()
                    .println(terminal.dim(
                            "Older ones: --before " + rows.getLast().key().run()));
        }
    }

    private static String version(RunRow row) {
        String version = row.version() == Starts.DRAFT ? " draft" : " v" + row.version();
        return Printable.cut(row.workflow().value(), WORKFLOW_WIDTH - version.length()) + version;
    }

    private static JsonObject json(RunRow row) {
        return JsonObject.builder()
                .put("run", row.key().run().toString())
                .put("workflow", row.workflow().value())
                .put("version", row.version())
                .put("status", ExecutionStatus.of(row.status()).toString())
                .put("startTime", row.startedAt().toString())
                .putIfPresent("endTime", row.endedAt().map(Object::toString))
                .put("lastSeq", row.lastSequence())
                .build();
    }
}
