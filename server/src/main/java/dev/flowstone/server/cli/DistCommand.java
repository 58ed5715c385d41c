package dev.flowstone.server.cli;

import java.nio.file.Path;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Option;

/** {@code dist}: the launcher's own, which needs the sources (build/dist); named here so that help knows it. */
@Command(
        name = "dist",
        header = "Make the archive that is installed elsewhere (from a clone, by ./flowstone).",
        description = {
            "For machines like this one that have a Java 25, and nothing else: docs/install.md.",
            "Prints the archive's name, size and SHA-256; a file beside it has that, too.",
            "The same sources and the same JDK make the same bytes.%n"
        },
        footer = {"", "Examples:", "  ./flowstone dist", "  ./flowstone dist --output /tmp", "", Exit.HELP})
final class DistCommand implements Callable<Integer> {
    @Option(names = "--output", paramLabel = "DIR", description = "Where to (default: the clone's target/dist).")
    private @Nullable Path output;

    @Option(names = "--as-built", description = "From what was built last, though sources are newer.")
    private boolean asBuilt;

    @Override
    public Integer call() throws Exception {
        String where = output == null ? "" : " --output " + Hints.word(output.toString());
        String what = asBuilt ? " --as-built" : "";
        throw new UsageException("dist needs the sources: call ./flowstone dist" + where + what + " in a clone");
    }
}
