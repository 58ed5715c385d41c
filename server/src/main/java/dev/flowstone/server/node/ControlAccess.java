package dev.flowstone.server.node;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.control.ScopeSetting;
import dev.flowstone.engine.control.SettingMode;
import dev.flowstone.engine.control.SettingRequest;
import dev.flowstone.engine.control.SettingScope;
import dev.flowstone.engine.control.Settings;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.server.config.FlowstoneConfig;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/**
 * A database in which something is set for whole scopes though no node may work on it: a node reads what is set before a
 * shard of it decides, calls or sends anything.
 */
public final class ControlAccess implements AutoCloseable {
    private static final int PAGE = 1_000;

    private final Store store;

    private ControlAccess(Store store) {
        this.store = requireNonNull(store);
    }

    public static ControlAccess open(FlowstoneConfig config) throws CannotStartException {
        return new ControlAccess(Store.toRead(config.database()));
    }

    /**
     * Suspends the runs of all tenants, durable when it returns. Nodes that work on it already heed it within a second. The
     * narrowest scope governs: tenants and workflows that have a word of their own, by which they go on or drain, are suspended by
     * one of their own, and first.
     *
     * @return what was set; of the whole last
     */
    public List<ScopeSetting> suspend(HoldPolicy policy, String reason, Actor actor) throws JournalException {
        List<ScopeSetting> made = new ArrayList<>();
        for (ScopeSetting own : inForce()) {
            if (own.mode() != SettingMode.SUSPEND && !(own.scope() instanceof SettingScope.Everything)) {
                made.addAll(settings().append(SettingRequest.suspend(own.scope(), policy, reason, actor)));
            }
        }
        made.addAll(settings().append(SettingRequest.suspend(new SettingScope.Everything(), policy, reason, actor)));
        return made;
    }

    private Collection<ScopeSetting> inForce() throws JournalException {
        Map<SettingScope, ScopeSetting> newest = new LinkedHashMap<>();
        long read = 0;
        for (List<ScopeSetting> page = settings().after(0, PAGE);
                !page.isEmpty();
                page = settings().after(read, PAGE)) {
            page.forEach(row -> newest.put(row.scope(), row));
            read = page.getLast().number();
        }
        newest.values().removeIf(row -> row.mode() == SettingMode.CLEAR);
        return newest.values();
    }

    private Settings settings() {
        return store.ports().settings();
    }

    @Override
    public void close() {
        store.close();
    }
}
