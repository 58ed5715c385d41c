package dev.flowstone.engine.archive;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.archive.ArchiveLine.Item;
import dev.flowstone.engine.archive.ArchiveLine.Kind;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import java.io.IOException;
import java.util.Optional;
import java.util.Set;

/** Writes programs and payloads before what refers to them, unless they stood there not long ago. */
final class ReferredItems {
    private final Stored programs;
    private final Stored payloads;
    private final Recent recent;
    private final Out out;

    /** Where items go. */
    @FunctionalInterface
    interface Out {
        void write(Item item) throws IOException;
    }

    /** What is stored under a hash. */
    @FunctionalInterface
    interface Stored {
        Optional<byte[]> read(TenantId tenant, Sha256 hash) throws JournalException;
    }

    ReferredItems(Stored programs, Stored payloads, Recent recent, Out out) {
        this.programs = requireNonNull(programs);
        this.payloads = requireNonNull(payloads);
        this.recent = requireNonNull(recent);
        this.out = requireNonNull(out);
    }

    /**
     * All of these stand in the file not long ago, so that what refers to them may come next. One that is written may push out
     * another that stood there already: that one is written again, so that it is the newer one. Beyond what can be remembered
     * there is no end to that: then some are missing, and whoever reads the file says so.
     */
    void ensure(TenantId tenant, Set<Sha256> programHashes, Set<Sha256> payloadHashes)
            throws IOException, JournalException {
        int referred = programHashes.size() + payloadHashes.size();
        boolean more = true;
        for (int pass = 0; more && pass <= referred; pass++) {
            more = false;
            more |= put(Kind.PROGRAM, tenant, programHashes, programs);
            more |= put(Kind.PAYLOAD, tenant, payloadHashes, payloads);
            more &= referred <= recent.most();
        }
    }

    /** One at a time, as each may be large; whether any was missing. */
    private boolean put(Kind kind, TenantId tenant, Set<Sha256> hashes, Stored stored)
            throws IOException, JournalException {
        boolean missing = false;
        for (Sha256 hash : hashes) {
            if (!recent.holds(kind, tenant, hash)) {
                Item item = new Item(kind, tenant, hash, stored.read(tenant, hash));
                out.write(item);
                recent.add(item);
                missing = true;
            }
        }
        return missing;
    }
}
