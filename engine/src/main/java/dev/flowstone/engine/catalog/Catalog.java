package dev.flowstone.engine.catalog;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.kernel.command.Actor;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/**
 * What the nodes of a deployment can do, for all tenants alike. A change is made whole or not at all, and is what every node sees from its
 * commit on. Thread-safe.
 */
public interface Catalog {
    /** A node that wasn't {@link #seen} for so long has nothing any more. */
    Duration SILENT_AFTER = Duration.ofMinutes(2);

    /** Has nothing, and takes nothing. */
    static Catalog none() {
        return new NoCatalog();
    }

    /**
     * Says what a node has, instead of what it said before. Writes nothing that is there already. An entry that another node has in
     * another version stays; of one version, what was said last counts. Versions that nobody has are forgotten, but for the newest of
     * each id.
     */
    void register(String node, Offer offer) throws JournalException;

    /** Writes down what this is, as what no node has. Of one version, what was said last counts. */
    void enter(Offer offer) throws JournalException;

    /** The node is there. Says whether it is known: one that was forgotten has to {@link #register} again. */
    boolean seen(String node) throws JournalException;

    /** The node ends in good order. */
    void leave(String node) throws JournalException;

    /** By id, at most a page; without their schemas. */
    List<CatalogConnector> connectors(Optional<String> after, int limit) throws JournalException;

    Optional<CatalogConnector> connector(String id) throws JournalException;

    /** By id, at most a page; without their schemas. */
    List<CatalogAction> actions(Filter filter, Optional<String> after, int limit) throws JournalException;

    Optional<CatalogAction> action(String id) throws JournalException;

    /**
     * Turns it on or off, in all workflows of all tenants. Nothing happens if it is so already.
     *
     * @param expected the revision that it is for, if it is given
     */
    Turned turn(Subject subject, boolean on, Optional<String> reason, OptionalLong expected, Actor by)
            throws JournalException;

    /** All that is off. */
    Off off() throws JournalException;

    /**
     * Which actions; empty members let all pass.
     *
     * @param category in whichever case, as {@code search}
     * @param search text that the id, the name, the description or a tag has, in whichever case: which letters are each other's, the
     *     database's collation says, for what is looked for and what is there alike
     * @param enabled whether new versions of workflows may name it
     */
    record Filter(
            Optional<String> connector,
            Optional<String> category,
            Optional<String> tag,
            Optional<String> search,
            Optional<Boolean> enabled) {
        public static final Filter ALL =
                new Filter(Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

        public Filter {
            requireNonNull(connector);
            requireNonNull(category);
            requireNonNull(tag);
            requireNonNull(search);
            requireNonNull(enabled);
        }
    }

    /** What came of turning something on or off. */
    sealed interface Turned {
        /** It is so now, or was already. */
        record Done(SwitchState state) implements Turned {
            public Done {
                requireNonNull(state);
            }
        }

        /** There is none of this id. */
        record Unknown() implements Turned {}

        /** It is at another revision than the one that the change is for. */
        record OtherRevision(long revision) implements Turned {}
    }
}
