package dev.flowstone.server.cli;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Parameters;

/** {@code check}: the launcher's own, which needs the sources; named here so that help knows it. */
@Command(
        name = "check",
        header = "Build everything and pass every test (from a clone, by ./flowstone).",
        footer = {"", "Examples:", "  ./flowstone check", "  ./flowstone check kernel dialects/dag"})
final class CheckCommand implements Callable<Integer> {
    @Parameters(arity = "0..*", paramLabel = "MODULE", description = "Only these and what they stand on.")
    private List<String> modules = new ArrayList<>();

    @Override
    public Integer call() throws Exception {
        String named = String.join(" ", modules);
        throw new UsageException("check needs the sources: call ./flowstone check " + named + " in a clone");
    }
}
