package dev.flowstone.server.cli;

import dev.flowstone.engine.archive.ArchiveFault;
import dev.flowstone.engine.archive.ArchiveReport;
import dev.flowstone.engine.archive.ArchiveTotals;
import dev.flowstone.engine.archive.ArchiveVerifier;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonObject;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code archive verify}: recomputes everything in a file, without a database. */
@Command(
        name = "verify",
        header = "Recompute every chain, hash and count of an archive, from the file alone.",
        description = "Exit code 1 if anything is not as it was written; the first line that isn't is named.%n",
        footer = {"", "Example:", "  flowstone archive verify flowstone-2026-08.ndjson.gz", "", Exit.HELP})
final class ArchiveVerifyCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Parameters(paramLabel = "FILE", description = "The archive.")
    private Path file = Path.of("");

    @Option(
            names = "--anchor",
            paramLabel = "HASH",
            description = "The anchor that you noted when it was made: another one is a fault.")
    private @Nullable String anchor;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    ArchiveVerifyCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        Optional<Sha256> expected = anchor();
        ArchiveReport report = read();
        Optional<String> fault = report.fault()
                .map(ArchiveFault::toString)
                .or(() -> expected.filter(hash ->
                                !report.totals().map(ArchiveTotals::anchor).equals(Optional.of(hash)))
                        .map(hash -> "it is whole, and not the archive that was noted: its anchor is "
                                + report.totals()
                                        .map(totals -> totals.anchor().toString())
                                        .orElse("")));
        if (json) {
            terminal.out().println(CanonicalJson.exactText(json(report, fault)));
        } else {
            print(report, fault);
        }
        return fault.isEmpty() ? Exit.SUCCEEDED : Exit.FAILED;
    }

    private Optional<Sha256> anchor() throws UsageException {
        try {
            return Optional.ofNullable(anchor).map(Sha256::parse);
        } catch (IllegalArgumentException e) {
            throw new UsageException("--anchor takes 64 hexadecimal digits");
        }
    }

    private ArchiveReport read() throws Exception {
        try (InputStream in = Files.newInputStream(file)) {
            return ArchiveVerifier.verify(in, ArchiveVerifier.Listener.NONE);
        } catch (IOException e) {
            throw new UsageException(file + " can't be read: " + Definitions.reason(e));
        }
    }

    private void print(ArchiveReport report, Optional<String> fault) {
        String looked = ArchiveText.runs(report.runs()) + ", " + ArchiveText.events(report.events())
                + report.month().map(month -> " of " + month).orElse("");
        if (fault.isPresent()) {
            terminal.out().println(terminal.red("broken") + " after " + looked + ": " + Printable.text(fault.get()));
            return;
        }
        terminal.out().println(terminal.green("whole") + ": " + looked);
        report.totals().ifPresent(totals -> terminal.out().println("anchor " + totals.anchor()));
    }

    private static JsonObject json(ArchiveReport report, Optional<String> fault) {
        JsonObject.Builder all = JsonObject.builder()
                .put("whole", fault.isEmpty())
                .put("runs", report.runs())
                .put("events", report.events());
        report.month().ifPresent(month -> all.put("month", month.toString()));
        report.madeAt().ifPresent(time -> all.put("madeAt", time.toString()));
        report.totals()
                .ifPresent(totals -> all.put("anchor", totals.anchor().toString())
                        .put("content", totals.content().toString()));
        report.fault().ifPresent(found -> all.put("line", found.line()));
        fault.ifPresent(text -> all.put("fault", text));
        return all.build();
    }
}
