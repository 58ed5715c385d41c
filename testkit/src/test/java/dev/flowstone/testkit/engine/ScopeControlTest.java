package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.control.ScopeControl;
import dev.flowstone.engine.control.ScopeSetting;
import dev.flowstone.engine.control.SettingRequest;
import dev.flowstone.engine.control.SettingScope;
import dev.flowstone.engine.control.SettingWatch;
import dev.flowstone.engine.control.Settings;
import dev.flowstone.engine.control.ShardAcknowledgement;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.HoldPolicy;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;

/** What an operator learns of a setting while the database comes and goes: once it is set, never that it isn't. */
final class ScopeControlTest {
    private static final SettingRequest SUSPEND = SettingRequest.suspend(
            new SettingScope.Everything(), HoldPolicy.DEFAULT, "audit", new Actor("user", "ann"));
    private static final SettingRequest RESUME =
            SettingRequest.resume(new SettingScope.Everything(), "done", new Actor("user", "ann"));

    private final World world = new World(2);
    private final Failing settings = new Failing(world.ports.settings());
    private final AtomicInteger news = new AtomicInteger();
    private final ScopeControl control = new ScopeControl(settings, new SettingWatch(settings), news::incrementAndGet);

    @Test
    void aSettingThatCannotBeReadBackIsSet() throws Exception {
        settings.unreadable = true;

        assertEquals(1, control.change(SUSPEND));

        assertEquals(0, news.get());
        settings.unreadable = false;
        control.refresh();
        assertEquals(1, news.get());
        assertEquals(1, control.log().newest());
        assertEquals(2, control.change(RESUME));
    }

    @Test
    void aChangeThatChangesNothingFailsAsAReading() {
        settings.unreadable = true;

        assertThrows(JournalException.class, () -> control.change(RESUME));
    }

    @Test
    void whoHasNotAcknowledgedIsToldThoughTheSettingCouldNotBeReadBack() throws Exception {
        world.node("one");
        settings.unreadable = true;

        ScopeControl.Heeding heeding = control.await(control.change(SUSPEND), Duration.ZERO);

        assertFalse(heeding.byAll());
        assertEquals(
                world.ports.leases().shards().stream().map(shard -> shard.id()).toList(),
                heeding.missing().stream().map(ShardAcknowledgement::shard).toList());
    }

    @Test
    void whereAcknowledgementsCannotBeReadNobodyIsSaidToHeed() throws Exception {
        long number = control.change(SUSPEND);
        settings.silent = 2;

        ScopeControl.Heeding heeding = control.await(number, Duration.ZERO);

        assertEquals(new ScopeControl.Heeding(false, List.of()), heeding);
        assertTrue(control.await(number, Duration.ofSeconds(20)).byAll(), "it asks again");
    }

    /** Can be written, and not always read. */
    private static final class Failing implements Settings {
        private final Settings real;
        private boolean unreadable;
        private int silent;

        Failing(Settings real) {
            this.real = real;
        }

        @Override
        public List<ScopeSetting> append(SettingRequest request) throws JournalException {
            return real.append(request);
        }

        @Override
        public List<ScopeSetting> after(long number, int limit) throws JournalException {
            if (unreadable) {
                throw new JournalException.Unavailable("the connection broke");
            }
            return real.after(number, limit);
        }

        @Override
        public void acknowledge(Lease lease, long number) throws JournalException {
            real.acknowledge(lease, number);
        }

        @Override
        public List<ShardAcknowledgement> acknowledgements() throws JournalException {
            if (silent > 0) {
                silent--;
                throw new JournalException.Unavailable("the connection broke");
            }
            return real.acknowledgements();
        }
    }
}
