package dev.flowstone.kernel.aggregate;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.decision.Kernel;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.message.Message;
import dev.flowstone.kernel.program.ProgramCodec;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Names and hashes that stand in journals. */
final class AggregatesTest {
    private static final TenantId ACME = new TenantId("acme");

    /** If one of these changes, aggregates lose their past: they must not. */
    @Test
    void theNamesAreFixedForEver() {
        assertEquals(
                "00000000-0001-7d1c-b7e0-5b843fe29e7d",
                Aggregates.channel(ACME, "paid", "order-1").toString());
        assertEquals(
                "00000000-0001-7061-bcd7-9dfc001445df",
                Aggregates.semaphore(ACME, "press").toString());
        assertEquals(
                "00000000-0001-7f70-89a8-02a138e0001c",
                Aggregates.link(ACME, "Order", "4711").toString());
    }

    @Test
    void theProgramsAreFixedForEver() {
        assertEquals(
                "8186e0e6b22b0b3377406d02cc3fbd96fc568b4ca45fbc7f5ed493e61597cb4b",
                Aggregates.hash(Aggregates.Kind.CHANNEL).toString());
        assertEquals(
                "75f7397c1cacde2bbf83de5ef0d666c27001c3b42e19e706d54373691c0828fb",
                Aggregates.hash(Aggregates.Kind.SEMAPHORE).toString());
        assertEquals(
                "fefd3d644423f5fc4c9c3b719b20d6976b16b8383f6ec7289ed093421192c955",
                Aggregates.hash(Aggregates.Kind.LINK).toString());
    }

    @Test
    void namesDependOnWhereOnePartEnds() {
        assertNotEquals(Aggregates.channel(ACME, "ab", "c"), Aggregates.channel(ACME, "a", "bc"));
        assertNotEquals(Aggregates.channel(ACME, "a", "b"), Aggregates.link(ACME, "a", "b"));
        assertNotEquals(Aggregates.semaphore(ACME, "a"), Aggregates.semaphore(new TenantId("other"), "a"));
    }

    @Test
    void anAggregateIsKnownByItsName() {
        assertTrue(Aggregates.isAggregate(Aggregates.semaphore(ACME, "press")));
        assertFalse(Aggregates.isAggregate(RunId.of(Instant.parse("2026-11-27T12:00:00Z"), new Slot(1), 7)));
        assertFalse(Aggregates.isAggregate(RunId.of(Instant.EPOCH, new Slot(1), 7)));
    }

    @Test
    void programsAreKnownByTheirHashAndOpenAggregates() {
        for (Aggregates.Kind kind : Aggregates.Kind.values()) {
            assertEquals(kind.hash(), ProgramCodec.hash(kind.program()));
            assertEquals(Optional.of(kind.program()), Aggregates.program(kind.hash()));
            AggregateState state = assertInstanceOf(AggregateState.class, Kernel.initial(kind.program(), kind.hash()));
            assertEquals(kind, state.kind());
            assertEquals(
                    state.toJson(),
                    Kernel.restore(kind.program(), kind.hash(), state.toJson()).toJson());
        }
        assertEquals(Optional.empty(), Aggregates.program(Sha256.ZERO));
    }

    @Test
    void aMessageTellsWhatItOpens() {
        ActivationId a = ActivationId.parse("a#1");
        assertEquals(
                Optional.of(Aggregates.hash(Aggregates.Kind.SEMAPHORE)), Aggregates.programFor(new Message.Release(a)));
        assertEquals(
                Optional.of(Aggregates.hash(Aggregates.Kind.CHANNEL)),
                Aggregates.programFor(new Message.Subscribe(a, "t", "k")));
        assertEquals(Optional.empty(), Aggregates.programFor(new Message.PermitExpired(a, 1)));
    }
}
