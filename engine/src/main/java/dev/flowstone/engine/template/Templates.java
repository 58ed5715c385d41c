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

    /** Has none, and takes none. */
    static Templates none() {
        return new NoTemplates();
    }

    /** Those that a tenant sees, by id, at most a page. */
    List<TemplateSet> sets(TenantId tenant, Optional<String> team, Optional<TemplateSetId> after, int limit)
            throws JournalException;

    Optional<TemplateSet> set(TenantId tenant, TemplateSetId id) throws JournalException;

    /** Makes one, which is on. One of this owner that says the same already is answered as it is. */
    SetChange create(TenantId owner, TemplateSetId id, String displayName, String team, Actor by)
            throws JournalException;

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

    /** Names that a tenant sees of templates with this id, in the order of their sets, at most so many. */
    List<TemplateName> named(TenantId tenant, TemplateId id, int limit) throws JournalException;

    /**
     * A version.
     *
     * @param version empty for the newest that isn't off
     */
    Optional<TemplateVersion> find(TenantId tenant, TemplateName name, OptionalInt version) throws JournalException;

    /** All versions, the newest first, at most a page of those before one. */
    List<TemplateVersion> versions(TenantId tenant, TemplateName name, OptionalInt before, int limit)
            throws JournalException;

    /** Writes the next version, unless the newest says the same already and isn't off. */
    Written write(TenantId owner, TemplateName name, TemplateDraft draft, Actor by) throws JournalException;

    /** Turns a version on or off; nothing happens if it is so already. Empty if there is none. */
    Optional<TemplateVersion> enable(TenantId owner, TemplateName name, int version, boolean enabled)
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

        /** There are {@link Templates#MOST_SETS}. */
        record TooMany() implements SetChange {}

        /** It is at another revision than the one that the change is for. */
        record OtherRevision(long revision) implements SetChange {}
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
    }
}
