package dev.flowstone.security.token;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * An issuer's keys, kept and renewed. Older ones than {@link Timing#fresh} are renewed in the background; whoever asks waits if they
 * are older than {@link Timing#stale}, or if there are none. However many ask, and whatever for, the issuer is asked at most once in {@link
 * Timing#between}. If it can't be asked, or answers what is no set, keys are used for {@link Timing#keep} and not longer; what it answers
 * otherwise is what there is, also if none of it can be used. Thread-safe.
 */
public final class JwkSource {
    private static final Logger LOG = System.getLogger(JwkSource.class.getName());

    /** Who waits at once for keys that may not come; a server has room for many more calls. */
    static final int MOST_SEEKING = 200;

    /** Where keys come from. */
    @FunctionalInterface
    public interface Loader {
        /**
         * A JWK set in JSON; longer than {@link KeySet#MOST_BYTES} it is refused.
         *
         * @throws IOException with a sentence for whoever runs the installation
         */
        byte[] load() throws IOException, InterruptedException;
    }

    /**
     * How long is what.
     *
     * @param fresh for which keys are used without asking again
     * @param stale after which they are used only once the issuer was asked again
     * @param keep for which they are used if they can't be had again
     * @param between two times of asking
     */
    public record Timing(Duration fresh, Duration stale, Duration keep, Duration between) {
        public static final Timing DEFAULT =
                new Timing(Duration.ofMinutes(5), Duration.ofMinutes(15), Duration.ofHours(24), Duration.ofSeconds(30));

        public Timing {
            requireNonNull(fresh);
            requireNonNull(stale);
            requireNonNull(keep);
            requireNonNull(between);
        }
    }

    /** One answer; each is another. */
    private static final class Kept {
        private final KeySet keys;
        private final long since;

        Kept(KeySet keys, long since) {
            this.keys = keys;
            this.since = since;
        }
    }

    private final Loader loader;
    private final LongSupplier nanos;
    private final Timing timing;
    private final ReentrantLock asking = new ReentrantLock();
    private final Semaphore seeking = new Semaphore(MOST_SEEKING);
    private volatile @Nullable Kept kept;
    private volatile @Nullable Long lastAsked;

    /** @param nanos a clock that is never set, in nanoseconds, such as {@code System::nanoTime} */
    public JwkSource(Loader loader, LongSupplier nanos, Timing timing) {
        this.loader = requireNonNull(loader);
        this.nanos = requireNonNull(nanos);
        this.timing = requireNonNull(timing);
    }

    public static JwkSource of(Loader loader) {
        return new JwkSource(loader, System::nanoTime, Timing.DEFAULT);
    }

    /**
     * Asks now, for whoever wants to know whether that works.
     *
     * @return how many keys can be used
     * @throws KeySetException if that is no set of keys, or none of them can be used
     */
    public int load() throws IOException, KeySetException, InterruptedException {
        asking.lockInterruptibly();
        try {
            KeySet keys = ask();
            if (keys.size() == 0) {
                throw new KeySetException("no key of the set can be used: " + keys.passedOver());
            }
            return keys.size();
        } finally {
            asking.unlock();
        }
    }

    /** The keys that may be used now; none if they can't be had. */
    Optional<KeySet> keys() throws InterruptedException {
        Kept now = kept;
        if (now == null || isOlder(now, timing.keep()) || isOlder(now, timing.stale())) {
            return renewed(now).filter(it -> !isOlder(it, timing.keep())).map(it -> it.keys);
        }
        if (isOlder(now, timing.fresh()) && !asking.isLocked() && !isEarly()) {
            Thread.ofVirtual().name("flowstone-token-keys").start(() -> renewInBackground(now));
        }
        return Optional.of(now.keys);
    }

    /** Other keys than these, on which something was not found; none if it is too early to ask, or there are no others. */
    Optional<KeySet> after(KeySet known) throws InterruptedException {
        Kept now = kept;
        Optional<Kept> other = now != null && now.keys != known ? Optional.of(now) : sought(now);
        return other.filter(it -> it.keys != known).map(it -> it.keys);
    }

    /** For whatever no known key has signed, hence for strangers, too: so many of them wait at once, and the others for nothing. */
    private Optional<Kept> sought(@Nullable Kept old) throws InterruptedException {
        if (!seeking.tryAcquire()) {
            return Optional.ofNullable(kept);
        }
        try {
            return renewed(old);
        } finally {
            seeking.release();
        }
    }

    private void renewInBackground(Kept old) {
        try {
            Optional<Kept> _ = renewed(old);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /** What there is once the issuer was asked, by this caller or by another meanwhile; it isn't asked if it was just now. */
    private Optional<Kept> renewed(@Nullable Kept old) throws InterruptedException {
        if (isEarly() && !asking.isLocked()) {
            return Optional.ofNullable(kept);
        }
        asking.lockInterruptibly();
        try {
            if (kept == old && !isEarly()) {
                KeySet _ = ask();
            }
        } catch (IOException | KeySetException | RuntimeException e) {
            LOG.log(Level.WARNING, "the keys that tokens are checked with can't be had: " + e.getMessage());
        } finally {
            asking.unlock();
        }
        return Optional.ofNullable(kept);
    }

    private KeySet ask() throws IOException, KeySetException, InterruptedException {
        lastAsked = nanos.getAsLong();
        KeySet keys = KeySet.parse(loader.load());
        keys.passedOver().forEach(why -> LOG.log(Level.DEBUG, "not for tokens: " + why));
        if (keys.size() == 0) {
            LOG.log(Level.WARNING, "every token is refused: no key of the issuer's set can be used");
        }
        kept = new Kept(keys, nanos.getAsLong());
        return keys;
    }

    private boolean isEarly() {
        Long last = lastAsked;
        return last != null && nanos.getAsLong() - last < timing.between().toNanos();
    }

    private boolean isOlder(Kept it, Duration age) {
        return nanos.getAsLong() - it.since > age.toNanos();
    }
}
