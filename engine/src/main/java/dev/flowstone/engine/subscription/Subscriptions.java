package dev.flowstone.engine.subscription;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.read.FeedPlace;
import dev.flowstone.engine.subscription.Subscription.Wish;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.TenantId;
import java.time.Instant;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * Subscriptions for people. A change is made whole or not at all, with a deed that stays for ever; {@code expected}, if it is given,
 * is the revision that it is for.
 */
public interface Subscriptions {
    /** Of a tenant. */
    int MOST = 100;

    /** Has none, and takes none. */
    static Subscriptions none() {
        return new NoSubscriptions();
    }

    /** Those of a tenant, by name, after one, at most a page. */
    List<Standing> list(TenantId tenant, Optional<SubscriptionName> after, int limit) throws JournalException;

    Optional<Standing> find(SubscriptionKey key) throws JournalException;

    /** What was done to it, or to one of the same name before it, the newest first. */
    List<Done> deeds(SubscriptionKey key, int limit) throws JournalException;

    /**
     * Makes it, active, or has it send other events or to somebody else from where it is.
     *
     * @param begin where a new one begins in each stream
     */
    Change put(SubscriptionKey key, Wish wish, Map<Integer, FeedPlace> begin, OptionalLong expected, Deed deed)
            throws JournalException;

    /** Nothing leaves until it is resumed, but for what is on its way. */
    Change pause(SubscriptionKey key, OptionalLong expected, Deed deed) throws JournalException;

    /** It goes on where it was, also if it was broken. */
    Change resume(SubscriptionKey key, OptionalLong expected, Deed deed) throws JournalException;

    /**
     * Puts its cursors elsewhere; one that was broken is active again.
     *
     * @param detail of the deed: where to
     */
    Change move(SubscriptionKey key, Map<Integer, FeedPlace> to, String detail, OptionalLong expected, Deed deed)
            throws JournalException;

    /**
     * Passes over the one event that can't be delivered; a subscription that was broken is active again.
     *
     * @param event its id, if there are several, in different streams
     */
    Change skip(SubscriptionKey key, Optional<String> event, OptionalLong expected, Deed deed) throws JournalException;

    Change remove(SubscriptionKey key, OptionalLong expected, Deed deed) throws JournalException;

    /** The places before which everything was committed before a time, as far as the feed goes back. */
    Map<Integer, FeedPlace> before(Collection<Integer> streams, Instant at) throws JournalException;

    /** For those who send. */
    SubscriptionWork work();

    /** A subscription and how far it has come. */
    record Standing(Subscription subscription, List<StreamCursor> cursors) {
        public Standing {
            requireNonNull(subscription);
            cursors = List.copyOf(cursors);
        }
    }

    /** Who does it, and why. */
    record Deed(Actor actor, String reason) {
        public Deed {
            requireNonNull(actor);
            requireNonNull(reason);
        }
    }

    /**
     * Something that was done.
     *
     * @param what {@code put}, {@code pause}, {@code resume}, {@code rewind}, {@code skip}, {@code break} or {@code remove}
     * @param detail the event that was passed over, or where to it was put
     */
    record Done(String what, Instant at, String detail, Deed deed) {
        public Done {
            requireNonNull(what);
            requireNonNull(at);
            requireNonNull(detail);
            requireNonNull(deed);
        }
    }

    /** What came of a change. */
    sealed interface Change {
        /** It is done. */
        record Made(boolean created) implements Change {}

        /** There is none of this name. */
        record Unknown() implements Change {}

        /** The tenant has {@link #MOST}. */
        record TooMany() implements Change {}

        /** It is at another revision than the one that the change is for. */
        record OtherRevision(long revision) implements Change {}

        /**
         * It isn't clear which event is meant, or none is held up.
         *
         * @param blocked those that are
         */
        record NotBlocked(List<String> blocked) implements Change {
            public NotBlocked {
                blocked = List.copyOf(blocked);
            }
        }
    }
}
