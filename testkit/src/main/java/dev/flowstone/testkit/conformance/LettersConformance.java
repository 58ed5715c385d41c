package dev.flowstone.testkit.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.engine.journal.Commit;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.Letter;
import dev.flowstone.engine.journal.LetterKey;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What every journal must do with letters between runs (R21). */
public abstract class LettersConformance extends PortsConformance {
    private static JsonObject content(String text) {
        return JsonObject.builder().put("text", text).build();
    }

    private List<Letter> letters(Lease lease) throws JournalException {
        return ports().journal().letters(lease.shard().id(), Optional.empty(), 1_000);
    }

    @Test
    void aLetterIsThereFromItsSendersCommitUntilACommitForgetsIt() throws JournalException {
        Lease lease = lease(0);
        RunKey sender = run(0);
        RunId receiver = run(1).run();
        commit(lease, creation(sender).entry(2).letter(receiver, content("one")).build());

        List<Letter> kept = letters(lease);

        LetterKey key = new LetterKey(sender.tenant(), sender.run(), 2, receiver);
        assertEquals(List.of(new Letter(key, content("one"))), kept);

        ports().journal().commit(new Commit(lease, List.of(), List.of(), List.of(key)));
        ports().journal().commit(new Commit(lease, List.of(), List.of(), List.of(key)));

        assertEquals(List.of(), letters(lease));
    }

    @Test
    void aMoveThatLosesSendsNothing() throws JournalException {
        Lease lease = lease(0);
        RunKey sender = run(0);
        commit(lease, creation(sender).build());

        commit(
                lease,
                creation(sender).entry(1).letter(run(1).run(), content("lost")).build());

        assertEquals(List.of(), letters(lease));
    }

    @Test
    void lettersComeInOrderOfTheirKeysAndInPages() throws JournalException {
        Lease lease = lease(0);
        List<Letter> all = new ArrayList<>();
        for (int i = 0; i < 5; i++) {
            RunKey sender = run(i % 2 == 0 ? ACME : OTHER, 0);
            RunId first = run(1).run();
            RunId second = run(1).run();
            commit(
                    lease,
                    creation(sender)
                            .entry(1)
                            .letter(first, content("a" + i))
                            .letter(second, content("b" + i))
                            .build());
            all.add(new Letter(new LetterKey(sender.tenant(), sender.run(), 1, first), content("a" + i)));
            all.add(new Letter(new LetterKey(sender.tenant(), sender.run(), 1, second), content("b" + i)));
        }
        all.sort((a, b) -> a.key().compareTo(b.key()));

        List<Letter> paged = new ArrayList<>();
        Optional<LetterKey> after = Optional.empty();
        for (int page = 0; page < 4; page++) {
            List<Letter> some = ports().journal().letters(lease.shard().id(), after, 3);
            paged.addAll(some);
            after = Optional.of(some.getLast().key());
        }

        assertEquals(all, paged);
    }

    @Test
    void aShardSeesOnlyTheLettersOfItsOwnRuns() throws JournalException {
        Lease lease = lease(0);
        Lease other = lease(1);
        commit(
                lease,
                creation(run(0)).entry(1).letter(run(1).run(), content("mine")).build());

        assertEquals(1, letters(lease).size());
        assertEquals(List.of(), letters(other));
    }
}
