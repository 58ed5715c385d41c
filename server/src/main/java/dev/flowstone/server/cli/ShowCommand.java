package dev.flowstone.server.cli;

import dev.flowstone.engine.read.RunRow;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.server.config.FlowstoneConfig;
import dev.flowstone.server.execution.Execution;
import dev.flowstone.server.execution.Payloads;
import dev.flowstone.server.node.ReadAccess;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code show}: a run's timeline again. */
@Command(
        name = "show",
        header = "Show a run's timeline again.",
        footer = {
            "",
            "Examples:",
            "  flowstone show 01935b5e-9c3a-7c1d-9a44-0f6c0a1b2c3d",
            "  flowstone show 01935b5e-9c3a-7c1d-9a44-0f6c0a1b2c3d --json",
            "",
            Exit.HELP
        })
final class ShowCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private StoreOptions store = new StoreOptions();

    @Parameters(paramLabel = "RUN", description = "The run's id.")
    private String run = "";

    @Option(names = "--json", description = "Print one JSON object for each event, and last the result.")
    private boolean json;

    ShowCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        RunId id = RunArgument.parse(run);
        TenantId tenant = store.tenant();
        FlowstoneConfig config = store.config();
        try (Stop stop = new Stop()) {
            ReadAccess access = stop.opening(() -> ReadAccess.open(config));
            RunRow row = RunArgument.row(access.runs(), tenant, id);
            EventPrinter printer = EventPrinter.of(terminal, json, store.again());
            access.history().replay(tenant, id, 1, printer::event);
            Execution execution = Execution.read(access.history(), row);
            List<Payload> output = new ArrayList<>();
            execution.output().ifPresent(output::add);
            printer.result(execution, Payloads.of(access.runs(), tenant, output));
        }
        return Exit.SUCCEEDED;
    }
}
