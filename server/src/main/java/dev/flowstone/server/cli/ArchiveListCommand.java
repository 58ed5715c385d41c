package dev.flowstone.server.cli;

import dev.flowstone.engine.archive.ArchiveRecord;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.server.config.FlowstoneConfig;
import dev.flowstone.server.node.ArchiveAccess;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code archive list}: the archives that the database remembers. */
@Command(
        name = "list",
        header = "List the archives that were made of a database.",
        footer = {"", "Example:", "  flowstone archive list", "", Exit.HELP})
final class ArchiveListCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private StoreOptions store = new StoreOptions();

    @Option(names = "--json", description = "Print one JSON object for each archive.")
    private boolean json;

    ArchiveListCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        FlowstoneConfig config = store.config();
        try (Stop stop = new Stop()) {
            ArchiveAccess access = stop.opening(() -> ArchiveAccess.open(config));
            List<ArchiveRecord> records = access.archives().list();
            if (records.isEmpty() && !json) {
                terminal.out().println("Nothing was archived yet.");
            }
            for (ArchiveRecord record : records) {
                terminal.out()
                        .println(
                                json
                                        ? CanonicalJson.exactText(ArchiveText.json(record))
                                        : Printable.text(record.file()) + "  " + ArchiveText.runs(record.runs()) + ", "
                                                + ArchiveText.events(record.events()) + ", made " + record.madeAt()
                                                + ", anchor " + record.anchor());
            }
        }
        return Exit.SUCCEEDED;
    }
}
