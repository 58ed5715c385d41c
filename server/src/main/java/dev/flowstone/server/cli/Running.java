package dev.flowstone.server.cli;

import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.server.config.FlowstoneConfig;
import dev.flowstone.server.node.CannotStartException;
import dev.flowstone.server.node.Flowstone;
import java.nio.file.Files;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** A Flowstone that lives as long as one run is watched, and says how to go on if it is interrupted. */
final class Running implements AutoCloseable {
    private final Terminal terminal;
    private final String again;
    private final AtomicReference<@Nullable RunId> watched = new AtomicReference<>();
    private final Stop stop;
    private @Nullable Flowstone flowstone;

    Running(Terminal terminal, String again) {
        this.terminal = terminal;
        this.again = again;
        this.stop = new Stop(this::farewell, () -> {});
    }

    Flowstone open(FlowstoneConfig config, Terminal to) throws CannotStartException {
        if (config.database().url().isEmpty() && !Files.exists(config.database().data())) {
            to.err()
                    .println(to.dim(
                            "Preparing a database in " + config.database().data() + " (once)"));
        }
        Flowstone opened = stop.opening(() -> Flowstone.open(config));
        flowstone = opened;
        return opened;
    }

    /** Answers the exit code. */
    int follow(TenantId tenant, RunId run, boolean json) throws Exception {
        watched.set(run);
        if (stop.signaled()) {
            farewell();
        }
        if (flowstone == null) {
            throw new IllegalStateException("not open");
        }
        if (!json) {
            terminal.out().println("Run " + terminal.bold(run.toString()));
        }
        int code = new RunFollower(flowstone, EventPrinter.of(terminal, json, again)).follow(tenant, run);
        watched.set(null);
        return code;
    }

    private void farewell() {
        RunId run = watched.getAndSet(null);
        if (run != null) {
            terminal.err().println();
            terminal.err().println("Stopped watching. The run is durable and goes on where it was:");
            terminal.err().println("  " + Hints.COMMAND + " run --resume " + run + again);
        }
    }

    @Override
    public void close() {
        stop.close();
    }
}
