package dev.flowstone.testkit.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.journal.Committed;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.Receipt;
import dev.flowstone.engine.journal.ReceiptKey;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.kernel.event.Times;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.JsonObject;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What every journal must do with receipts: a mutation that was accepted once is never accepted again. */
public abstract class ReceiptsConformance extends PortsConformance {
    @Test
    void receiptsAreFoundByTheirWholeKeyUntilTheyExpire() throws JournalException {
        Lease lease = lease(0);
        RunKey key = run(0);
        RunKey expired = run(0);
        Receipt receipt = receipt(key, "request", now().plusSeconds(600));
        commit(
                lease,
                creation(key).receipt(receipt).build(),
                creation(expired)
                        .receipt(receipt(expired, "expired", now().minusSeconds(1)))
                        .build());

        Map<?, Receipt> found = ports().journal()
                .receipts(
                        lease.shard().id(),
                        List.of(
                                startKey(ACME, "request"),
                                startKey(OTHER, "request"),
                                new ReceiptKey(ACME, "run:x", "request"),
                                startKey(ACME, "expired"),
                                startKey(ACME, "never")));

        assertEquals(Map.of(receipt.key(), receipt), found);
    }

    @Test
    void aTakenReceiptRefusesTheMoveAndNobodyElse() throws JournalException {
        Lease lease = lease(0);
        RunKey first = run(0);
        commit(
                lease,
                creation(first)
                        .receipt(receipt(first, "r", now().plusSeconds(600)))
                        .build());
        RunKey second = run(0);
        RunKey bystander = run(0);

        Committed committed = commit(
                lease,
                creation(second)
                        .receipt(receipt(second, "r", now().plusSeconds(600)))
                        .awake()
                        .build(),
                creation(bystander)
                        .receipt(receipt(bystander, "other", now().plusSeconds(600)))
                        .build());

        assertEquals(Set.of(bystander), committed.moved());
        assertEquals(Map.of(), ports().journal().load(lease.shard().id(), List.of(second)));
        Receipt kept = ports().journal()
                .receipts(lease.shard().id(), List.of(startKey(ACME, "r")))
                .get(startKey(ACME, "r"));
        assertTrue(kept != null && kept.run().equals(first.run()));
    }

    @Test
    void runsThatBeganAtPointsOfOneAreFoundByItInOrder() throws JournalException {
        Lease lease = lease(0);
        RunKey old = run(0);
        RunKey first = run(0);
        RunKey second = run(0);
        RunKey foreign = run(OTHER, 0);
        commit(lease, creation(old).build());
        for (RunKey begun : List.of(second, first, foreign)) {
            ReceiptKey key = ReceiptKey.reset(begun.tenant(), old.run(), begun.run());
            commit(
                    lease,
                    creation(begun)
                            .receipt(new Receipt(key, Sha256.ZERO, begun.run(), JsonObject.EMPTY, Times.LAST))
                            .build());
        }
        List<RunId> expected = Stream.of(first.run(), second.run()).sorted().toList();

        assertEquals(expected, ports().journal().resets(ACME, old.run(), 10));
        assertEquals(expected.subList(0, 1), ports().journal().resets(ACME, old.run(), 1));
        assertEquals(List.of(foreign.run()), ports().journal().resets(OTHER, old.run(), 10));
        assertEquals(List.of(), ports().journal().resets(ACME, first.run(), 10));
    }

    @Test
    void anExpiredReceiptIsReplaced() throws JournalException {
        Lease lease = lease(0);
        RunKey first = run(0);
        commit(
                lease,
                creation(first)
                        .receipt(receipt(first, "r", now().minusSeconds(5)))
                        .build());
        RunKey second = run(0);

        assertEquals(
                Set.of(second),
                commit(
                                lease,
                                creation(second)
                                        .receipt(receipt(second, "r", now().plusSeconds(600)))
                                        .build())
                        .moved());
        Receipt kept = ports().journal()
                .receipts(lease.shard().id(), List.of(startKey(ACME, "r")))
                .get(startKey(ACME, "r"));
        assertTrue(kept != null && kept.run().equals(second.run()));
    }

    @Test
    void theSameRequestIdOfAnotherTenantIsAnother() throws JournalException {
        Lease lease = lease(0);
        RunKey ours = run(ACME, 0);
        RunKey theirs = run(OTHER, 0);

        Committed committed = commit(
                lease,
                creation(ours)
                        .receipt(receipt(ours, "r", now().plusSeconds(60)))
                        .build(),
                creation(theirs)
                        .receipt(receipt(theirs, "r", now().plusSeconds(60)))
                        .build());

        assertEquals(Set.of(ours, theirs), committed.moved());
    }
}
