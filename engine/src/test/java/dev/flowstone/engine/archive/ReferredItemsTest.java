package dev.flowstone.engine.archive;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.archive.ArchiveLine.Item;
import dev.flowstone.engine.archive.ArchiveLine.Kind;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** What refers to something finds it, however much was written since it stood there first. */
final class ReferredItemsTest {
    private static final TenantId ACME = new TenantId("acme");
    private static final int MOST = 4;

    private final List<Item> file = new ArrayList<>();
    private final ReferredItems items = new ReferredItems(
            (_, hash) -> Optional.of(hash.bytes()),
            (_, hash) -> Optional.of(hash.bytes()),
            new Recent(MOST),
            file::add);

    private static Sha256 hash(int number) {
        return Sha256.digest(new byte[] {(byte) number});
    }

    private static Set<Sha256> hashes(int... numbers) {
        Set<Sha256> hashes = new LinkedHashSet<>();
        for (int number : numbers) {
            hashes.add(hash(number));
        }
        return hashes;
    }

    /** As whoever reads the file remembers. */
    private void assertStand(Set<Sha256> programs, Set<Sha256> payloads) {
        Recent read = new Recent(MOST);
        file.forEach(read::add);
        programs.forEach(hash -> assertTrue(read.holds(Kind.PROGRAM, ACME, hash), () -> "program in " + file));
        payloads.forEach(hash -> assertTrue(read.holds(Kind.PAYLOAD, ACME, hash), () -> "payload in " + file));
    }

    @Test
    void aProgramThatAnInputPushesOutIsWrittenAgain() throws Exception {
        for (int run = 1; run <= 10; run++) {
            items.ensure(ACME, hashes(0), Set.of());
            items.ensure(ACME, hashes(0), hashes(run));

            assertStand(hashes(0), hashes(run));
        }
        long programs =
                file.stream().filter(item -> item.kind() == Kind.PROGRAM).count();
        assertTrue(programs > 1 && programs < 6, () -> programs + " programs: no more often than it is pushed out");
    }

    @Test
    void anOldPayloadBesideNewOnesStandsThere() throws Exception {
        items.ensure(ACME, Set.of(), hashes(1, 2, 3, 4));

        items.ensure(ACME, Set.of(), hashes(1, 5, 6, 7));

        assertStand(Set.of(), hashes(1, 5, 6, 7));
    }

    @Test
    void whatStandsThereIsNotWrittenAgain() throws Exception {
        items.ensure(ACME, hashes(0), hashes(1, 2));
        items.ensure(ACME, hashes(0), hashes(2, 1));

        assertEquals(3, file.size());
    }

    @Test
    void moreThanCanBeRememberedEnds() throws Exception {
        items.ensure(ACME, Set.of(), hashes(1, 2, 3, 4, 5, 6));

        assertEquals(6, file.size());
    }
}
