package dev.flowstone.server.cli;

import dev.flowstone.server.config.FlowstoneConfig;
import java.util.OptionalInt;

/** The seam to the bench module: finds the benchmark of that name and lets it measure. */
final class Benchmarks {
    private Benchmarks() {}

    static int run(
            String name, FlowstoneConfig config, int seconds, OptionalInt inflight, boolean json, Terminal terminal)
            throws UsageException {
        throw new UsageException("there is no benchmark '" + name + "'");
    }
}
