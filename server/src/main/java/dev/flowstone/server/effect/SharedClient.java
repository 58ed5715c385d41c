package dev.flowstone.server.effect;

import static java.util.Objects.requireNonNull;

import dev.flowstone.outbound.OutboundClient;
import dev.flowstone.server.config.FlowstoneConfig;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;

/** A node's one client. It is opened when something is first sent: most starts send nothing, and TLS takes its time. Thread-safe. */
public final class SharedClient implements Supplier<OutboundClient>, AutoCloseable {
    private final FlowstoneConfig config;
    private final ReentrantLock lock = new ReentrantLock();
    private @Nullable OutboundClient client;
    private boolean closed;

    public SharedClient(FlowstoneConfig config) {
        this.config = requireNonNull(config);
    }

    /**
     * The client, opened if it isn't yet.
     *
     * @throws IllegalStateException after {@link #close}
     */
    @Override
    public OutboundClient get() {
        lock.lock();
        try {
            if (closed) {
                throw new IllegalStateException("this node sends nothing more: it stops");
            }
            OutboundClient open = client == null ? Outbound.client(config) : client;
            client = open;
            return open;
        } finally {
            lock.unlock();
        }
    }

    /** Cuts off what is under way. */
    @Override
    public void close() {
        lock.lock();
        try {
            closed = true;
            if (client != null) {
                client.close();
            }
        } finally {
            lock.unlock();
        }
    }
}
