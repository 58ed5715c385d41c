package dev.flowstone.testkit.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.control.ScopeSetting;
import dev.flowstone.engine.control.SettingMode;
import dev.flowstone.engine.control.SettingRequest;
import dev.flowstone.engine.control.SettingScope;
import dev.flowstone.engine.control.ShardAcknowledgement;
import dev.flowstone.engine.journal.HeldRun;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.kernel.id.WorkflowId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;

/** What whoever keeps settings of scopes owes the engine (R25). */
public abstract class SettingsConformance extends PortsConformance {
    private static final SettingScope SYSTEM = new SettingScope.Everything();
    private static final SettingScope TENANT = new SettingScope.Tenant(ACME);
    private static final SettingScope WORKFLOW = new SettingScope.Workflow(ACME, new WorkflowId("orders"));
    private static final SettingScope ELSEWHERE = new SettingScope.Workflow(OTHER, new WorkflowId("orders"));
    private static final HoldPolicy POLICY = new HoldPolicy(HoldPolicy.TimerRule.CATCH_UP, HoldPolicy.InputRule.REJECT);
    private static final Actor ANN = new Actor("user", "ann");
    private static final int MANY = 20;

    /** Run by the ports under test. */
    protected SettingsConformance() {}

    private List<ScopeSetting> suspend(SettingScope scope) throws JournalException {
        return ports().settings().append(SettingRequest.suspend(scope, POLICY, "audit", ANN));
    }

    private List<ScopeSetting> resume(SettingScope scope) throws JournalException {
        return ports().settings().append(SettingRequest.resume(scope, "done", ANN));
    }

    private List<ScopeSetting> all() throws JournalException {
        return ports().settings().after(0, 1_000);
    }

    private long acknowledged(ShardId shard) throws JournalException {
        return ports().settings().acknowledgements().stream()
                .filter(one -> one.shard().equals(shard))
                .mapToLong(ShardAcknowledgement::number)
                .findFirst()
                .orElse(-1);
    }

    private static List<String> told(List<ScopeSetting> rows) {
        return rows.stream().map(row -> row.mode() + " " + row.scope().text()).toList();
    }

    @Test
    void whatIsSetIsReadAsItWasSetByWhomAndWhen() throws Exception {
        Instant before = now();
        Duration life = Duration.ofMillis(90_001);

        ports().settings().append(SettingRequest.drain(WORKFLOW, POLICY, life, "käfer", ANN));
        suspend(SYSTEM);

        List<ScopeSetting> rows = all();
        assertEquals(
                new ScopeSetting(1, rows.getFirst().at(), WORKFLOW, SettingMode.DRAIN, POLICY, life, "käfer", ANN),
                rows.getFirst());
        assertEquals(
                new ScopeSetting(
                        2, rows.getLast().at(), SYSTEM, SettingMode.SUSPEND, POLICY, Duration.ZERO, "audit", ANN),
                rows.getLast());
        assertFalse(rows.getFirst().at().isBefore(before.minusSeconds(5)), "by the database's clock");
        assertFalse(rows.getLast().at().isBefore(rows.getFirst().at()));
    }

    @Test
    void rowsAreReadInPagesAfterANumber() throws Exception {
        suspend(SYSTEM);
        suspend(TENANT);
        suspend(WORKFLOW);

        assertEquals(
                List.of(2L),
                ports().settings().after(1, 1).stream()
                        .map(ScopeSetting::number)
                        .toList());
        assertEquals(
                List.of(3L),
                ports().settings().after(2, 5).stream()
                        .map(ScopeSetting::number)
                        .toList());
        assertEquals(List.of(), ports().settings().after(3, 5));
    }

    @Test
    void whatIsResumedUnderAWiderHoldGoesOnByItsOwnWordUntilThatIsOver() throws Exception {
        suspend(TENANT);
        assertEquals(List.of("GO workflow/orders"), told(resume(WORKFLOW)));
        assertEquals(List.of(), resume(WORKFLOW), "it goes on already");

        assertEquals(List.of("CLEAR tenant/acme", "CLEAR workflow/orders"), told(resume(TENANT)));
        assertEquals(List.of(), resume(TENANT), "nothing is held");
    }

    @Test
    void aWordOfANarrowerScopeStaysWhileSomethingWiderHoldsIt() throws Exception {
        suspend(SYSTEM);
        suspend(TENANT);
        resume(WORKFLOW);
        suspend(ELSEWHERE);

        assertEquals(List.of("GO tenant/acme", "CLEAR workflow/orders"), told(resume(TENANT)));
        assertEquals(List.of("CLEAR system", "CLEAR tenant/acme"), told(resume(SYSTEM)));
    }

    @Test
    void whoeverWritesAtOnceGetsNumbersWithoutAGap() throws Exception {
        try (ExecutorService writers = Executors.newFixedThreadPool(4)) {
            List<Callable<List<ScopeSetting>>> calls = new ArrayList<>();
            for (int i = 0; i < MANY; i++) {
                calls.add(() -> suspend(TENANT));
            }
            for (Future<List<ScopeSetting>> call : writers.invokeAll(calls)) {
                assertEquals(1, call.get().size());
            }
        }

        assertEquals(
                LongStream.rangeClosed(1, MANY).boxed().toList(),
                all().stream().map(ScopeSetting::number).toList());
    }

    @Test
    void onlyWhoHoldsAShardAcknowledgesForIt() throws Exception {
        Lease lease = lease(0);
        ShardId shard = lease.shard().id();
        suspend(SYSTEM);
        assertEquals(0, acknowledged(shard));

        ports().settings().acknowledge(lease, 1);
        assertEquals(1, acknowledged(shard));

        Lease next = lease(0);
        assertEquals(0, acknowledged(shard), "a new holder has acknowledged nothing");
        assertThrows(JournalException.StaleEpoch.class, () -> ports().settings().acknowledge(lease, 1));
        assertEquals(0, acknowledged(shard));
        ports().settings().acknowledge(next, 1);
        assertEquals(1, acknowledged(shard));
    }

    @Test
    void nobodyWaitsForAShardThatNobodyHolds() throws Exception {
        Lease lease = lease(0);
        assertEquals(
                List.of(new ShardAcknowledgement(lease.shard().id(), lease.holder(), lease.epoch(), 0)),
                ports().settings().acknowledgements());

        ports().leases().release(lease);

        assertTrue(ports().settings().acknowledgements().isEmpty());
    }

    @Test
    void heldRunsAreFoundInPagesByTheirTimer() throws Exception {
        Lease lease = lease(0);
        RunKey first = run(0);
        RunKey free = run(0);
        RunKey second = run(0);
        RunKey third = run(OTHER, 0);
        RunKey elsewhere = run(1);
        Instant never = Instant.parse("9999-12-31T23:59:59Z");
        commit(
                lease,
                creation(first).entry(1).timer("hold", 1, never).build(),
                creation(free).entry(1).timer("other", 1, never).build(),
                creation(second).entry(1).timer("hold", 1, never).build(),
                creation(third).entry(1).timer("hold", 1, never).build());
        commit(lease(1), creation(elsewhere).entry(1).timer("hold", 1, never).build());

        List<HeldRun> page = ports().journal().held(lease.shard().id(), Optional.empty(), 2);

        assertEquals(List.of(first, second), page.stream().map(HeldRun::key).toList());
        WorkflowId workflow =
                ports().runs().run(ACME, first.run()).orElseThrow().workflow();
        assertEquals(workflow, page.getFirst().workflow());
        assertEquals(
                List.of(third),
                ports().journal().held(lease.shard().id(), Optional.of(second), 2).stream()
                        .map(HeldRun::key)
                        .toList());
        assertEquals(List.of(), ports().journal().held(lease.shard().id(), Optional.of(third), 2));
    }
}
