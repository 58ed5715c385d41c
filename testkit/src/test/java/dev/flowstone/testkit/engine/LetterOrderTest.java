package dev.flowstone.testkit.engine;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.engine.effect.LetterMessage;
import dev.flowstone.engine.journal.InboxMessage;
import dev.flowstone.engine.journal.Letter;
import dev.flowstone.engine.journal.LetterKey;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.json.JsonObject;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** No letter of a pair overtakes another in an inbox, whatever the clocks of those who post them say (R21). */
final class LetterOrderTest {
    private static final Instant SENT = Instant.parse("2026-01-01T00:00:00Z");

    private final World world = new World();

    private static Letter letter(long number, Instant sentAt) {
        LetterKey key =
                new LetterKey(World.TENANT, RunId.of(SENT, new Slot(1), 1), number, RunId.of(SENT, new Slot(2), 2));
        return new Letter(
                key,
                JsonObject.builder()
                        .put(LetterMessage.SENT_AT, sentAt.toString())
                        .put("number", number)
                        .build());
    }

    @Test
    void lettersOfAPairAreReadInTheOrderInWhichTheyWereSent() throws Exception {
        Shard shard = world.ports.leases().shards().getFirst();
        Lease lease = world.ports
                .leases()
                .acquire(shard.id(), "reader", Duration.ofMinutes(1))
                .orElseThrow();
        Instant fast = SENT.plusSeconds(60);
        Instant slow = SENT.minusSeconds(60);
        world.ports.inbox().accept(LetterMessage.of(letter(9, SENT), fast));
        world.ports.inbox().accept(LetterMessage.of(letter(10, SENT), slow));
        world.ports.inbox().accept(LetterMessage.of(letter(11, SENT.plusMillis(1)), slow));

        List<Long> numbers = world.ports.journal().inbox(lease, 10).stream()
                .map(LetterOrderTest::number)
                .toList();

        assertEquals(List.of(9L, 10L, 11L), numbers);
    }

    private static long number(InboxMessage message) {
        return LetterMessage.read(message).key().number();
    }
}
