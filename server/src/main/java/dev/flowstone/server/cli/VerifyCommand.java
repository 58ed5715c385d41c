package dev.flowstone.server.cli;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.engine.verify.ChainReport;
import dev.flowstone.engine.verify.ChainVerifier;
import dev.flowstone.engine.verify.HistoryAnchor;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.config.FlowstoneConfig;
import dev.flowstone.server.node.ReadAccess;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code verify}: recomputes hash chains. */
@Command(
        name = "verify",
        header = "Recompute the hash chain of a run, or of every run of every tenant.",
        description = "A changed byte, a missing or added event is found and named; exit code 1 then.%n",
        footer = {
            "",
            "Examples:",
            "  flowstone verify",
            "  flowstone verify 01935b5e-9c3a-7c1d-9a44-0f6c0a1b2c3d",
            "  flowstone verify --anchor /mnt/elsewhere/flowstone.anchors",
            "",
            Exit.HELP
        })
final class VerifyCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private StoreOptions store = new StoreOptions();

    @Parameters(arity = "0..1", paramLabel = "RUN", description = "Only this run.")
    private @Nullable String run;

    @Option(
            names = "--anchor",
            paramLabel = "FILE",
            description =
                    "Also compare with the last line of this file, which flowstone anchor has written: an older database, or"
                            + " one that went on in another way, is a fault.")
    private @Nullable Path anchor;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    VerifyCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        RunKey key = run == null ? null : new RunKey(store.tenant(), RunArgument.parse(run));
        List<HistoryAnchor> anchors = anchor == null ? List.of() : AnchorFile.read(anchor);
        FlowstoneConfig config = store.config();
        try (Stop stop = new Stop()) {
            ReadAccess access = stop.opening(() -> ReadAccess.open(config));
            if (key != null) {
                RunRow _ = RunArgument.row(access.runs(), key.tenant(), key.run());
            }
            ChainVerifier verifier = access.verifier();
            ChainReport report = key == null ? verifier.all() : verifier.run(key);
            Optional<AnchorFile.Result> compared =
                    anchors.isEmpty() ? Optional.empty() : Optional.of(AnchorFile.compare(anchors, access.anchors()));
            if (json) {
                terminal.out().println(CanonicalJson.exactText(json(report, compared)));
            } else {
                print(report);
                compared.ifPresent(this::print);
            }
            boolean another = compared.flatMap(AnchorFile.Result::fault).isPresent();
            return report.whole() && !another ? Exit.SUCCEEDED : Exit.FAILED;
        }
    }

    private void print(AnchorFile.Result compared) {
        compared.fault()
                .ifPresent(fault -> terminal.out().println(terminal.red("not the one") + ": " + Printable.text(fault)));
        compared.holds().ifPresent(time -> terminal.out().println(terminal.green("as anchored") + " at " + time));
    }

    private void print(ChainReport report) {
        String looked = String.format(
                Locale.ROOT, "%,d %s, %,d events", report.runs(), report.runs() == 1 ? "run" : "runs", report.events());
        report.fault()
                .ifPresentOrElse(
                        fault -> terminal.out()
                                .println(terminal.red("broken") + " after " + looked + ": "
                                        + Printable.text(fault.toString())),
                        () -> terminal.out().println(terminal.green("whole") + ": " + looked));
    }

    private static JsonObject json(ChainReport report, Optional<AnchorFile.Result> compared) {
        JsonObject.Builder json = JsonObject.builder()
                .put("whole", report.whole())
                .put("runs", report.runs())
                .put("events", report.events());
        report.fault()
                .ifPresent(fault -> json.put(
                        "fault",
                        JsonObject.builder()
                                .put("tenant", fault.run().tenant().value())
                                .put("run", fault.run().run().toString())
                                .put("sequence", fault.sequence())
                                .put("reason", fault.reason())
                                .build()));
        compared.flatMap(AnchorFile.Result::fault).ifPresent(fault -> json.put("anchorFault", fault));
        compared.flatMap(AnchorFile.Result::holds).ifPresent(time -> json.put("asAnchoredAt", time.toString()));
        return json.build();
    }
}
