package dev.flowstone.testkit.conformance;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.journal.Commit;
import dev.flowstone.engine.journal.Committed;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.Receipt;
import dev.flowstone.engine.journal.ReceiptKey;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.RunMove;
import dev.flowstone.engine.journal.StoredRun;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.engine.lease.ShardId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Arrays;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.BeforeEach;

/** What the suites share: ports over an empty database, leases, keys and moves to try them with. */
public abstract class PortsConformance {
    protected static final TenantId ACME = new TenantId("acme");
    protected static final TenantId OTHER = new TenantId("other");
    protected static final Duration TTL = Duration.ofMinutes(1);

    private Ports ports;
    private Instant birth;
    private long runs;

    /** Only {@link #openPorts} fills the fields, before each test. */
    @SuppressWarnings("NullAway.Init")
    protected PortsConformance() {}

    /** Ports over a database of at least two shards that is empty. Called before each test. */
    protected abstract Ports open() throws Exception;

    /** Lets the database's time pass. Overridden where time is virtual; by default it really passes. */
    protected void pass(Duration time) {
        long end = System.nanoTime() + time.toNanos();
        while (System.nanoTime() < end) {
            LockSupport.parkNanos(end - System.nanoTime());
        }
    }

    @BeforeEach
    final void openPorts() throws Exception {
        ports = open();
        birth = ports.clock().now().truncatedTo(ChronoUnit.MILLIS);
        assertTrue(ports.leases().shards().size() >= 2, "the suites need two shards");
    }

    protected final Ports ports() {
        return ports;
    }

    /** A time near the database's own, in microseconds, which is all that a database keeps. */
    protected final Instant now() {
        return ports.clock().now().truncatedTo(ChronoUnit.MICROS);
    }

    /** What the journal has of a run that must be there. */
    protected final StoredRun load(RunKey key) throws JournalException {
        return found(key, ports().journal().load(shardOf(key), List.of(key)));
    }

    /** The run without its snapshot. */
    protected final StoredRun loadWhole(RunKey key) throws JournalException {
        return found(key, ports().journal().loadWhole(shardOf(key), List.of(key)));
    }

    private static StoredRun found(RunKey key, Map<RunKey, StoredRun> runs) {
        StoredRun run = runs.get(key);
        if (run == null) {
            throw new AssertionError("no run " + key);
        }
        return run;
    }

    protected final boolean exists(RunKey key) throws JournalException {
        return ports().journal().load(shardOf(key), List.of(key)).containsKey(key);
    }

    private ShardId shardOf(RunKey key) {
        return ports().leases().shards().stream()
                .filter(shard -> shard.holds(key.run().slot()))
                .findFirst()
                .orElseThrow()
                .id();
    }

    protected final Shard shard(int number) {
        return ports.leases().shards().get(number);
    }

    protected final Lease lease(int shardNumber) {
        return lease(shardNumber, "node-1");
    }

    protected final Lease lease(int shardNumber, String holder) {
        try {
            return ports.leases()
                    .acquire(shard(shardNumber).id(), holder, TTL)
                    .orElseThrow(() -> new AssertionError("nobody holds shard " + shardNumber));
        } catch (JournalException e) {
            throw new AssertionError(e);
        }
    }

    /** A new run's key in a shard; later ones are greater. */
    protected final RunKey run(int shardNumber) {
        return run(ACME, shardNumber);
    }

    protected final RunKey run(TenantId tenant, int shardNumber) {
        runs++;
        return new RunKey(
                tenant,
                RunId.of(birth.plusMillis(runs), new Slot(shard(shardNumber).firstSlot()), runs));
    }

    /** The first move of a run. */
    protected final MoveBuilder creation(RunKey key) {
        return new MoveBuilder(key, 0, now());
    }

    /** A later move of a run. */
    protected final MoveBuilder move(RunKey key, long expectedSequence) {
        return new MoveBuilder(key, expectedSequence, now());
    }

    protected final Receipt receipt(RunKey run, String requestId, Instant expiresAt) {
        return new Receipt(
                startKey(run.tenant(), requestId),
                Sha256.digest(requestId.getBytes(StandardCharsets.UTF_8)),
                run.run(),
                JsonObject.builder().put("run", run.run().toString()).build(),
                expiresAt);
    }

    protected static byte[] bytes(String text) {
        return text.getBytes(StandardCharsets.UTF_8);
    }

    protected static ReceiptKey startKey(TenantId tenant, String requestId) {
        return new ReceiptKey(tenant, "start", requestId);
    }

    /** Commits moves in the order that the journal asks for. */
    protected final Committed commit(Lease lease, RunMove... moves) throws JournalException {
        RunMove[] sorted = moves.clone();
        Arrays.sort(sorted, (a, b) -> a.key().compareTo(b.key()));
        return ports.journal().commit(new Commit(lease, List.of(sorted), List.of()));
    }

    /** Tries again, letting time pass, until it holds. */
    protected final void eventually(String what, Callable<Boolean> holds) throws Exception {
        for (int i = 0; i < 500; i++) {
            if (holds.call()) {
                return;
            }
            pass(Duration.ofMillis(10));
        }
        throw new AssertionError("never came true: " + what);
    }
}
