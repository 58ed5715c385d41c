package dev.flowstone.server.cli;

import dev.flowstone.server.config.FlowstoneConfig;
import java.util.Map;
import java.util.OptionalInt;

/** The seam to the bench module: every benchmark by its name. */
final class Benchmarks {
    private static final Map<String, Benchmark> ALL = Map.of();

    private Benchmarks() {}

    /** Measures, prints, and answers the exit code. */
    @FunctionalInterface
    interface Benchmark {
        int run(FlowstoneConfig config, int seconds, OptionalInt inflight, boolean json, Terminal terminal)
                throws Exception;
    }

    static Benchmark named(String name) throws UsageException {
        Benchmark benchmark = ALL.get(name);
        if (benchmark == null) {
            throw new UsageException("there is no benchmark '" + name + "'; there are " + ALL.keySet());
        }
        return benchmark;
    }
}
