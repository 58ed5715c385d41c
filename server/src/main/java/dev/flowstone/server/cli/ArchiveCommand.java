package dev.flowstone.server.cli;

import dev.flowstone.engine.archive.ArchiveRecord;
import dev.flowstone.engine.archive.ArchiveRefusedException;
import dev.flowstone.engine.archive.ArchiveResult;
import dev.flowstone.engine.archive.ArchiveStage;
import dev.flowstone.engine.archive.Archives.Staged;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.config.FlowstoneConfig;
import dev.flowstone.server.node.ArchiveAccess;
import java.io.IOException;
import java.nio.file.Path;
import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.YearMonth;
import java.util.Locale;
import java.util.Map;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code archive}: takes a cold month's finished runs out of the database, into a file. */
@Command(
        name = "archive",
        header = "Move the finished runs of a past month to a file; or look at such files.",
        description =
                "The file is read again and every chain in it recomputed before anything is dropped. Runs that live,"
                        + " or that something waits for, stay. It works beside a running server.%n",
        synopsisSubcommandLabel = "[COMMAND]",
        commandListHeading = "%nCommands (each has a --help of its own):%n",
        footer = {
            "",
            "Examples:",
            "  flowstone archive 2026-08 --to /var/archive --dry-run",
            "  flowstone archive 2026-08 --to /var/archive",
            "  flowstone archive verify /var/archive/flowstone-2026-08.ndjson.gz",
            "  flowstone archive list",
            "",
            Exit.HELP
        })
final class ArchiveCommand implements Callable<Integer> {
    private static final int LONGEST = 36_500;

    private final Terminal terminal;

    @Mixin
    private StoreOptions store = new StoreOptions();

    @Parameters(arity = "0..1", paramLabel = "MONTH", description = "In which they began, in UTC: 2026-08.")
    private @Nullable String month;

    @Option(names = "--to", paramLabel = "DIR", description = "Folder for the file; made if it is missing.")
    private @Nullable Path folder;

    @Option(
            names = "--keep-days",
            paramLabel = "N",
            defaultValue = "30",
            description = "Runs that ended in the last N days stay (default: ${DEFAULT-VALUE}).")
    private int keepDays = 30;

    @Option(names = "--dry-run", description = "Only count.")
    private boolean dryRun;

    @Option(names = "--json", description = "Print one JSON object.")
    private boolean json;

    ArchiveCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /** By name. */
    Map<String, Object> commands() {
        return Map.of("verify", new ArchiveVerifyCommand(terminal), "list", new ArchiveListCommand(terminal));
    }

    @Override
    public Integer call() throws Exception {
        YearMonth wanted = month();
        Path to = folder;
        if (to == null && !dryRun) {
            throw new UsageException("--to DIR says where the file is to be written; or --dry-run only counts");
        }
        if (keepDays < 1 || keepDays > LONGEST) {
            throw new UsageException("--keep-days takes 1 to " + LONGEST);
        }
        Instant endedBefore = Clock.SYSTEM.now().minus(Duration.ofDays(keepDays));
        FlowstoneConfig config = store.config();
        try (Stop stop = new Stop()) {
            ArchiveAccess access = stop.opening(() -> ArchiveAccess.open(config));
            if (to == null || dryRun) {
                told(access.archiver().look(wanted, endedBefore));
            } else {
                told(wanted, archive(access, wanted, endedBefore, to));
            }
        }
        return Exit.SUCCEEDED;
    }

    private YearMonth month() throws UsageException {
        if (month == null) {
            throw new UsageException("which month? `" + Hints.COMMAND + " archive 2026-08 --to DIR`");
        }
        try {
            return YearMonth.parse(month);
        } catch (DateTimeException e) {
            throw new UsageException("'" + month + "' is no month, such as 2026-08");
        }
    }

    private ArchiveResult archive(ArchiveAccess access, YearMonth wanted, Instant endedBefore, Path to)
            throws Exception {
        try (ProgressLine progress = new ProgressLine(terminal)) {
            return access.archiver()
                    .archive(wanted, endedBefore, to, (stage, runs, of) -> progress.show(text(stage, runs, of)));
        } catch (IOException e) {
            throw new ArchiveRefusedException("the archive can't be written to " + to + ": " + Definitions.reason(e)
                    + "; the month is as it was");
        }
    }

    private static String text(ArchiveStage stage, long runs, long of) {
        return switch (stage) {
            case WRITING -> String.format(Locale.ROOT, "writing: %,d of %,d runs", runs, of);
            case VERIFYING -> String.format(Locale.ROOT, "reading it again: %,d of %,d runs", runs, of);
            case REPLACING -> String.format(Locale.ROOT, "taking %,d runs out of the database", of);
        };
    }

    private void told(Staged found) {
        if (json) {
            terminal.out().println(CanonicalJson.exactText(json(found).build()));
            return;
        }
        terminal.out()
                .println(ArchiveText.runs(found.runs()) + " with " + ArchiveText.events(found.events())
                        + " would be archived; " + stay(found, found.runs()));
    }

    private void told(YearMonth wanted, ArchiveResult result) {
        if (json) {
            JsonObject.Builder all = json(result.found()).put("attesting", result.attesting());
            if (result instanceof ArchiveResult.Archived archived) {
                all.put("archive", ArchiveText.json(archived.record()))
                        .put("file", archived.file().toString());
            }
            terminal.out().println(CanonicalJson.exactText(all.build()));
            return;
        }
        switch (result) {
            case ArchiveResult.Nothing nothing ->
                terminal.out().println("Nothing of " + wanted + " is to be archived; " + stay(nothing.found(), 0));
            case ArchiveResult.Archived archived -> {
                ArchiveRecord record = archived.record();
                terminal.out()
                        .println("Archived " + ArchiveText.runs(record.runs()) + " with "
                                + ArchiveText.events(record.events()) + " to "
                                + Printable.text(archived.file().toString()));
                terminal.out().println("anchor " + record.anchor());
                terminal.out().println(stay(archived.found(), record.runs()));
            }
        }
        if (result.attesting() > 0) {
            terminal.out()
                    .println(ArchiveText.runs(result.attesting())
                            + " of those are over, but people have yet to attest something.");
        }
    }

    private static String stay(Staged found, long gone) {
        return ArchiveText.runs(found.born() - gone) + " of its month "
                + (found.born() - gone == 1 ? "stays: " : "stay: ")
                + String.format(Locale.ROOT, "%,d live", found.born() - found.ended())
                + String.format(
                        Locale.ROOT, ", %,d ended lately or have something waiting for them.", found.ended() - gone);
    }

    private static JsonObject.Builder json(Staged found) {
        return JsonObject.builder()
                .put("born", found.born())
                .put("ended", found.ended())
                .put("archivable", found.runs())
                .put("archivableEvents", found.events());
    }
}
