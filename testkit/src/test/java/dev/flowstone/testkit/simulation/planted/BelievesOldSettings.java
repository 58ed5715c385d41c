package dev.flowstone.testkit.simulation.planted;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.control.ScopeSetting;
import dev.flowstone.engine.control.SettingRequest;
import dev.flowstone.engine.control.Settings;
import dev.flowstone.engine.control.ShardAcknowledgement;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.testkit.simulation.world.Tampering;
import java.util.List;

/** Whoever wins a shard goes by what is known already of settings, and hears of new ones some seconds later. */
public final class BelievesOldSettings implements Tampering {
    private static final int TOO_EARLY = 20;

    @Override
    public Settings settings(Ports ports) {
        Settings database = ports.settings();
        return new Settings() {
            private int asked;

            @Override
            public List<ScopeSetting> append(SettingRequest request) throws JournalException {
                return database.append(request);
            }

            @Override
            public List<ScopeSetting> after(long number, int limit) throws JournalException {
                List<ScopeSetting> rows = database.after(number, limit);
                asked = rows.isEmpty() ? 0 : asked + 1;
                return asked > TOO_EARLY ? rows : List.of();
            }

            @Override
            public void acknowledge(Lease lease, long number) throws JournalException {
                database.acknowledge(lease, number);
            }

            @Override
            public List<ShardAcknowledgement> acknowledgements() throws JournalException {
                return database.acknowledgements();
            }
        };
    }
}
