package dev.flowstone.testkit.simulation.world;

import dev.flowstone.engine.control.ScopeSetting;
import dev.flowstone.engine.control.SettingRequest;
import dev.flowstone.engine.control.Settings;
import dev.flowstone.engine.control.ShardAcknowledgement;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import java.util.List;

/** One node's way to what is set for scopes: reads fail here, and what shards acknowledge is noted. */
final class SimulatedSettings implements Settings {
    private final World world;
    private final Strikes strikes;
    private final Settings database;

    SimulatedSettings(World world, Strikes strikes, Settings database) {
        this.world = world;
        this.strikes = strikes;
        this.database = database;
    }

    @Override
    public List<ScopeSetting> append(SettingRequest request) throws JournalException {
        return database.append(request);
    }

    @Override
    public List<ScopeSetting> after(long number, int limit) throws JournalException {
        strikes.read();
        return database.after(number, limit);
    }

    @Override
    public void acknowledge(Lease lease, long number) throws JournalException {
        database.acknowledge(lease, number);
        world.suspensions().acknowledged(lease, number);
    }

    @Override
    public List<ShardAcknowledgement> acknowledgements() throws JournalException {
        return database.acknowledgements();
    }
}
