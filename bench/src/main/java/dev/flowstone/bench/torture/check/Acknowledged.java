package dev.flowstone.bench.torture.check;

import static java.util.Objects.requireNonNull;

/** What a node has said is done; from then on it must never be lost. */
public sealed interface Acknowledged {
    /** The run that it is part of. */
    String run();

    /** Its idempotency key. */
    String key();

    /** A run was started. */
    record Started(Kind kind, String key, String run) implements Acknowledged {
        public Started {
            requireNonNull(kind);
            requireNonNull(key);
            requireNonNull(run);
        }
    }

    /** A person's decision counts. */
    record Decided(String run, String key, String outcome) implements Acknowledged {
        public Decided {
            requireNonNull(run);
            requireNonNull(key);
            requireNonNull(outcome);
        }
    }

    /** A person's word about something that can't be undone was taken; the id is its attestation's. */
    record Attested(String run, String key, String id) implements Acknowledged {
        public Attested {
            requireNonNull(run);
            requireNonNull(key);
            requireNonNull(id);
        }
    }

    /** A signal was taken, for that run alone; its payload says the key. */
    record Signaled(String run, String key) implements Acknowledged {
        public Signaled {
            requireNonNull(run);
            requireNonNull(key);
        }
    }
}
