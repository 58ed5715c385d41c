package dev.flowstone.server.node;

import static java.util.Objects.requireNonNull;

import dev.flowstone.bench.rig.HttpDoor;
import dev.flowstone.bench.rig.NoOps;
import dev.flowstone.bench.rig.Rig;
import dev.flowstone.engine.Engine;
import dev.flowstone.engine.Ports;
import dev.flowstone.engine.shard.Observer;
import dev.flowstone.engine.trigger.Triggers;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.server.config.FlowstoneConfig;
import java.net.InetAddress;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/** The server that benchmarks call: the one that {@code serve} starts, on ports of theirs and any free port of the loopback. */
public final class BenchDoor implements HttpDoor {
    private final FlowstoneConfig config;
    private final String commandLine;

    /**
     * A door with this configuration.
     *
     * @param commandLine class by whose {@code main} a server is started in a process of its own
     */
    public BenchDoor(FlowstoneConfig config, String commandLine) {
        this.commandLine = requireNonNull(commandLine);
        this.config = config.withWorkerAction(new HandlerName(NoOps.REMOTE_ACTION));
    }

    @Override
    public String commandLine() {
        return commandLine;
    }

    @Override
    public Opened open(Ports ports, Observer observer) throws Exception {
        return open(ports, Triggers.none(), observer);
    }

    @Override
    public Opened open(Ports ports, Triggers triggers, Observer observer) throws Exception {
        AtomicReference<@Nullable Flowstone> flowstone = new AtomicReference<>();
        Serving serving = Serving.start(InetAddress.getLoopbackAddress(), 0, config.http(), "bench", () -> {
            Flowstone opened = Flowstone.watched(ports, triggers, config, Rig.NODE, observer);
            flowstone.set(opened);
            return opened;
        });
        Engine engine = requireNonNull(flowstone.get()).engine();
        return new Opened() {
            @Override
            public int port() {
                return serving.port();
            }

            @Override
            public Engine engine() {
                return engine;
            }

            @Override
            public void close() {
                serving.close();
            }
        };
    }
}
