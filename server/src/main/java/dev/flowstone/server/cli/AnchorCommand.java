package dev.flowstone.server.cli;

import dev.flowstone.engine.verify.HistoryAnchor;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.server.config.FlowstoneConfig;
import dev.flowstone.server.node.ReadAccess;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;

/** {@code anchor}: how far the history is, to be kept elsewhere. */
@Command(
        name = "anchor",
        header = "Tell how far the history is, in one line to be kept elsewhere.",
        description = {
            "A backup that is older than the line, or that somebody went on with in another way, is found out by it:",
            "verify --anchor FILE.%n"
        },
        footer = {
            "",
            "Examples:",
            "  flowstone anchor --append /mnt/elsewhere/flowstone.anchors",
            "  flowstone verify --anchor /mnt/elsewhere/flowstone.anchors",
            "",
            Exit.HELP
        })
final class AnchorCommand implements Callable<Integer> {
    private final Terminal terminal;

    @Mixin
    private StoreOptions store = new StoreOptions();

    @Option(
            names = "--append",
            paramLabel = "FILE",
            description = "Write the line at the end of this file, and force it to its disk, instead of printing it.")
    private @Nullable Path file;

    AnchorCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        FlowstoneConfig config = store.config();
        try (Stop stop = new Stop()) {
            ReadAccess access = stop.opening(() -> ReadAccess.open(config));
            HistoryAnchor anchor = access.anchors().take();
            String line = CanonicalJson.exactText(anchor.toJson());
            if (file == null) {
                terminal.out().println(line);
            } else {
                append(file, line + "\n");
                long commits = anchor.streams().stream()
                        .mapToLong(HistoryAnchor.Stream::number)
                        .sum();
                terminal.out().println("anchored " + commits + " commits in " + file);
            }
            return Exit.SUCCEEDED;
        }
    }

    private static void append(Path file, String line) throws UsageException {
        try (FileChannel channel =
                FileChannel.open(file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE)) {
            // After one that was cut off begins a line of its own.
            ByteBuffer last = ByteBuffer.allocate(1);
            boolean whole = channel.size() == 0 || (channel.read(last, channel.size() - 1) == 1 && last.get(0) == '\n');
            channel.position(channel.size());
            ByteBuffer bytes = ByteBuffer.wrap(((whole ? "" : "\n") + line).getBytes(StandardCharsets.UTF_8));
            while (bytes.hasRemaining()) {
                channel.write(bytes);
            }
            channel.force(true);
        } catch (IOException e) {
            throw new UsageException(file + " can't be written: " + Definitions.reason(e));
        }
    }
}
