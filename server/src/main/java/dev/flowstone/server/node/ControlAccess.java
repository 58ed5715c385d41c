package dev.flowstone.server.node;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.control.SettingRequest;
import dev.flowstone.engine.control.SettingScope;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.server.config.FlowstoneConfig;

/**
 * A database in which something is set for whole scopes though no node may work on it: a node reads what is set before a
 * shard of it decides, calls or sends anything.
 */
public final class ControlAccess implements AutoCloseable {
    private final Store store;

    private ControlAccess(Store store) {
        this.store = requireNonNull(store);
    }

    public static ControlAccess open(FlowstoneConfig config) throws CannotStartException {
        return new ControlAccess(Store.toRead(config.database()));
    }

    /**
     * Suspends the runs of all tenants, durable when it returns. Nodes that work on it already heed it within a second.
     *
     * @return the setting's number
     */
    public long suspend(HoldPolicy policy, String reason, Actor actor) throws JournalException {
        return store.ports()
                .settings()
                .append(SettingRequest.suspend(new SettingScope.Everything(), policy, reason, actor))
                .getLast()
                .number();
    }

    @Override
    public void close() {
        store.close();
    }
}
