package dev.flowstone.engine.template;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.TenantId;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;

/**
 * The document templates of tenants. A change is made whole or not at all, and is what every node sees from its commit on. A tenant sees
 * its own and everybody's; it changes what it owns, which for everybody's is {@link #EVERYBODY}. Thread-safe.
 */
public interface Templates {
    /** Owns what every tenant may use. Whoever calls as this tenant sees that, and changes it with the scope of an operator only. */
    TenantId EVERYBODY = new TenantId("*");

    /** Sets of a tenant. */
    int MOST_SETS = 200;

    /** Templates of a set. */
    int MOST_TEMPLATES = 1_000;

    /** Versions of a template. */
    int MOST_VERSIONS = 1_000;

    /** UTF-8 bytes of all that is written in all versions that an owner has: display names, forms, bodies, help. */
    long MOST_BYTES = 256L << 20;

    /** Has none, and takes none. */
    static Templates none() {
        return new NoTemplates();
    }

    /** Those that a tenant sees, by id, at most a page. */
    List<TemplateSet> sets(TenantId tenant, Optional<String> team, Optional<TemplateSetId> after, int limit)
            throws JournalException;

    Optional<TemplateSet> set(TenantId tenant, TemplateSetId id) throws JournalException;

    /**
     * Makes one, which is on. One of this owner that says the same already is answered as it is.
     *
     * @param hides whether it may hide one of everybody's
     */
    SetChange create(TenantId owner, TemplateSetId id, String displayName, String team, boolean hides, Actor by)
            throws JournalException;

    /** Takes one away that has no template, whatever its revision; what it hid is seen again. */
    Removal remove(TenantId owner, TemplateSetId id) throws JournalException;

    /**
     * Changes what is given.
     *
     * @param expected the revision that it is for, if it is given
     */
    SetChange update(TenantId owner, TemplateSetId id, SetWish wish, OptionalLong expected, Actor by)
            throws JournalException;

    /** Those that a tenant sees, by set and id, at most a page. */
    List<TemplateEntry> list(TenantId tenant, Filter filter, Optional<TemplateName> after, int limit)
            throws JournalException;

    /** Names of a tenant's own templates with this id, or of everybody's if it has none, in the order of their sets, at most so many. */
    List<TemplateName> named(TenantId tenant, TemplateId id, int limit) throws JournalException;

    /**
     * A version.
     *
     * @param version empty for the newest that isn't off
     */
    Optional<TemplateVersion> find(TenantId tenant, TemplateName name, OptionalInt version) throws JournalException;

    /** All versions, the newest first, at most a page of those before one. */
    List<TemplateVersionEntry> versions(TenantId tenant, TemplateName name, OptionalInt before, int limit)
            throws JournalException;

    /**
     * Writes the next version, unless the newest says the same already and isn't off.
     *
     * @param expected the newest version that it is to follow, 0 for none, if it is given
     */
    Written write(TenantId owner, TemplateName name, TemplateDraft draft, OptionalLong expected, Actor by)
            throws JournalException;

    /** Turns a version on or off; nothing happens if it is so already. Empty if there is none. */
    Optional<TemplateVersion> enable(TenantId owner, TemplateName name, int version, boolean enabled, Actor by)
            throws JournalException;

    /** Which ones; empty members let all pass. */
    record Filter(Optional<String> team, Optional<TemplateSetId> set) {
        public Filter {
            requireNonNull(team);
            requireNonNull(set);
        }
    }

    /** What is to change of a set; empty members stay. */
    record SetWish(Optional<String> displayName, Optional<String> team, Optional<Boolean> enabled) {
        public SetWish {
            requireNonNull(displayName);
            requireNonNull(team);
            requireNonNull(enabled);
        }
    }

    /** What came of a change of a set. */
    sealed interface SetChange {
        /** It is done, or was so already. */
        record Made(boolean created, TemplateSet set) implements SetChange {
            public Made {
                requireNonNull(set);
            }
        }

        /** There is none of this id. */
        record Unknown() implements SetChange {}

        /** There is another one of this id. */
        record Taken() implements SetChange {}

        /** It would hide one of everybody's, which wasn't asked for. */
        record WouldHide() implements SetChange {}

        /** There are {@link Templates#MOST_SETS}. */
        record TooMany() implements SetChange {}

        /** It is at another revision than the one that the change is for. */
        record OtherRevision(long revision) implements SetChange {}
    }

    /** What came of taking a set away. */
    enum Removal {
        REMOVED,
        /** There is none of this id. */
        UNKNOWN,
        /** It has templates. */
        IN_USE
    }

    /** What came of writing a version. */
    sealed interface Written {
        /** It is written, or was already. */
        record Made(boolean created, TemplateVersion version) implements Written {
            public Made {
                requireNonNull(version);
            }
        }

        /** There is no such set. */
        record NoSet() implements Written {}

        /** There are {@link Templates#MOST_TEMPLATES} or {@link Templates#MOST_VERSIONS}. */
        record TooMany() implements Written {}

        /** The owner would have more than {@link Templates#MOST_BYTES}. */
        record TooManyBytes() implements Written {}

        /** The newest version is another one than the one that it is to follow. */
        record OtherVersion(int newest) implements Written {}
    }
}
