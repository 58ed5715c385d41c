package dev.flowstone.server.cli;

import dev.flowstone.dialect.dag.DagDialect;
import dev.flowstone.dialect.fault.Fault;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.workflow.CatalogAnswer;
import dev.flowstone.engine.workflow.Published;
import dev.flowstone.engine.workflow.WorkflowRow;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Requested;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.server.config.FlowstoneConfig;
import dev.flowstone.server.definition.Checked;
import dev.flowstone.server.execution.Starts;
import dev.flowstone.server.node.Flowstone;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code run}: from a file to a durable history, watched. */
@Command(
        name = "run",
        header = "Run a workflow from a file, and watch it.",
        description = {
            "Publishes the definition (an edited file becomes the next version), starts a run, and shows what happens:"
                    + " time since start, node, what happened, how long it took, the output in brief.",
            "",
            "Ctrl-C leaves the run durable; --resume goes on with it.%n"
        },
        footer = {
            "",
            "Examples:",
            "  flowstone run examples/dag/fan-out-fan-in.json",
            "  flowstone run order.json --input '{\"amount\": 120}'",
            "  flowstone run order.json --input @order-17.json --json",
            "  flowstone run --resume 01935b5e-9c3a-7c1d-9a44-0f6c0a1b2c3d",
            "",
            Exit.HELP
        })
final class RunCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private StoreOptions store = new StoreOptions();

    @Parameters(arity = "0..1", paramLabel = "FILE", description = "The definition, a JSON file.")
    private @Nullable Path file;

    @Option(
            names = "--input",
            paramLabel = "JSON|@FILE",
            description = "What the workflow sees as `trigger`: JSON, or a file with it.")
    private @Nullable String input;

    @Option(names = "--json", description = "Print one JSON object for each event, and last the result.")
    private boolean json;

    @Option(
            names = "--resume",
            paramLabel = "RUN",
            description = "Go on with a run instead of starting one, and show it from its beginning.")
    private @Nullable String resume;

    RunCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        if ((file == null) == (resume == null)) {
            throw new UsageException("run takes a FILE, or --resume RUN");
        }
        FlowstoneConfig config = store.config();
        TenantId tenant = store.tenant();
        return file != null ? start(config, tenant, file) : resume(config, tenant, RunArgument.parse(resume));
    }

    private int start(FlowstoneConfig config, TenantId tenant, Path definition) throws Exception {
        byte[] source = Definitions.read(definition);
        Checked checked = Flowstone.definitions(config).check(source);
        Definitions.print(terminal, definition, checked);
        if (checked.program().isEmpty()) {
            return Exit.INVALID;
        }
        JsonValue trigger = input();
        if (!fits(trigger, checked.program().get())) {
            return Exit.INVALID;
        }
        try (Running running = new Running(terminal, store.again())) {
            Flowstone flowstone = running.open(config, terminal);
            Published published = released(flowstone.workflows().release(tenant, source));
            RunId run = started(flowstone, tenant, published, trigger);
            return running.follow(tenant, run, json);
        }
    }

    private int resume(FlowstoneConfig config, TenantId tenant, RunId run) throws Exception {
        if (input != null) {
            throw new UsageException("--input belongs to a new run; the one to resume has its own");
        }
        try (Running running = new Running(terminal, store.again())) {
            Flowstone flowstone = running.open(config, terminal);
            if (flowstone.ports().runs().run(tenant, run).isEmpty()) {
                throw RunArgument.unknown(run);
            }
            return running.follow(tenant, run, json);
        }
    }

    private RunId started(Flowstone flowstone, TenantId tenant, Published published, JsonValue trigger)
            throws JournalException, UsageException {
        Starts.Outcome outcome = flowstone
                .starts()
                .start(
                        new Starts.Wish(
                                tenant,
                                published.row().id(),
                                false,
                                Optional.empty(),
                                Map.of(Starts.TRIGGER, trigger, Starts.SPEC, JsonObject.EMPTY),
                                new Actor("user", System.getProperty("user.name", "unknown")),
                                UUID.randomUUID().toString(),
                                Requested.NOTHING,
                                Optional.empty()),
                        () -> true);
        return switch (outcome) {
            case Starts.Outcome.Answered(StartAnswer.Started started) -> started.run();
            case Starts.Outcome.Answered(StartAnswer.Existing existing) -> existing.run();
            case Starts.Outcome.Answered(StartAnswer.OtherWorkflow other) ->
                throw new IllegalStateException("a start without a request id met " + other);
            case Starts.Outcome.Answered(StartAnswer.Refused(String code, String reason)) ->
                throw new UsageException("the start was refused, " + code + ": " + reason);
            case Starts.Outcome.Answered(StartAnswer.OverQuota over) -> throw new UsageException(over.reason());
            case Starts.Outcome.Answered(StartAnswer.Busy busy) ->
                throw new UsageException("the engine is too busy to start a run: " + busy.reason());
            case Starts.Outcome.BadTrigger bad ->
                throw new UsageException("the input is not what the workflow asks for: " + bad.faults());
            case Starts.Outcome.NotNow() -> throw new IllegalStateException("nobody counts starts here");
            case Starts.Outcome.Unknown(),
                    Starts.Outcome.NotExecutable _,
                    Starts.Outcome.NoDraft _,
                    Starts.Outcome.BadDraft _ ->
                throw new UsageException("somebody took the workflow out of use just now");
        };
    }

    private boolean fits(JsonValue trigger, Program program) {
        List<Fault> faults = DagDialect.checkTrigger(program, trigger);
        faults.forEach(fault -> Definitions.print(terminal, "--input", fault));
        return faults.isEmpty();
    }

    private static Published released(CatalogAnswer<Published> answer) throws UsageException {
        return switch (answer) {
            case CatalogAnswer.Done<Published>(Published published) -> published;
            case CatalogAnswer.Refused<Published>(var refusal, WorkflowRow row) ->
                throw new UsageException("workflow '" + row.id() + "': " + refusal.reason() + "; " + refusal.remedy()
                        + " (POST /api/v1/workflows/" + row.id() + "/reactivate)");
            case CatalogAnswer.Changed<Published> changed ->
                throw new UsageException("others keep changing workflow '" + changed.workflow() + "'; try again");
            case CatalogAnswer.Invalid<Published> _, CatalogAnswer.Unknown<Published> _ ->
                throw new IllegalStateException("a definition that compiled was refused: " + answer);
        };
    }

    private JsonValue input() throws UsageException {
        if (input == null) {
            return JsonObject.EMPTY;
        }
        return JsonArgument.parse("--input", input);
    }
}
