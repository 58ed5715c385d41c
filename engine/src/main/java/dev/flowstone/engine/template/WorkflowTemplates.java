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
 * The workflow templates of tenants, and the official ones. A change is made whole or not at all, and is what every node sees from its
 * commit on. A tenant sees its own and the official ones; one of its own goes before an official one of the same id. It changes what it
 * owns, which for official ones is {@link #HOUSE}. Thread-safe.
 */
public interface WorkflowTemplates {
    /** Owns the official ones. */
    TenantId HOUSE = Templates.EVERYBODY;

    /** Templates of an owner. */
    int MOST = 500;

    /** Versions of a template that people write; a release may write more. */
    int MOST_VERSIONS = 1_000;

    /** UTF-8 bytes of definitions, schemas, descriptions and thumbnails in all versions that an owner has. */
    long MOST_BYTES = 64L << 20;

    /** Has none, and takes none. */
    static WorkflowTemplates none() {
        return new NoWorkflowTemplates();
    }

    /** Those that a tenant sees, by id, at most a page. */
    List<WorkflowTemplateEntry> list(TenantId tenant, Filter filter, Optional<WorkflowTemplateId> after, int limit)
            throws JournalException;

    /**
     * One that a tenant sees.
     *
     * @param version empty for the newest
     */
    Optional<WorkflowTemplate> find(TenantId tenant, WorkflowTemplateId id, OptionalInt version)
            throws JournalException;

    /** Makes one, with its first version. One of this owner whose newest version says the same is answered as it is. */
    Change create(TenantId owner, WorkflowTemplateId id, WorkflowTemplateDraft draft, Actor by) throws JournalException;

    /**
     * Writes the next version, unless the newest says the same already, whatever is expected.
     *
     * @param expected the revision that it is for, if it is given
     */
    Change write(TenantId owner, WorkflowTemplateId id, WorkflowTemplateDraft draft, OptionalLong expected, Actor by)
            throws JournalException;

    /**
     * Turns one on or off; nothing happens if it is so already.
     *
     * @param expected the revision that it is for, if it is given
     */
    Change enable(TenantId owner, WorkflowTemplateId id, boolean enabled, OptionalLong expected, Actor by)
            throws JournalException;

    /**
     * Writes what a release ships, all of it at once: of each template that isn't there its first version, and of each that was shipped
     * in an earlier edition its next one. What a later release has shipped stays, and so does whether one is off. One that somebody made
     * here is never overwritten: what calls it goes on getting what it was written for.
     */
    Shipment ship(List<Shipped> library, Actor by) throws JournalException;

    /**
     * An official template as a release brings it along.
     *
     * @param edition counts what releases have changed of it, from 1
     */
    record Shipped(WorkflowTemplateId id, int edition, WorkflowTemplateDraft draft) {
        public Shipped {
            requireNonNull(id);
            requireNonNull(draft);
        }
    }

    /**
     * What came of a release's templates.
     *
     * @param written how many versions were
     * @param kept those of the release that weren't written, because somebody made an official one of that id here
     */
    record Shipment(int written, List<WorkflowTemplateId> kept) {
        public Shipment {
            kept = List.copyOf(kept);
        }
    }

    /**
     * Which ones; empty members let all pass.
     *
     * @param search a part of an id, a display name, a description or a tag, in any case of letters
     */
    record Filter(Optional<String> category, Optional<Boolean> official, Optional<String> search) {
        public Filter {
            requireNonNull(category);
            requireNonNull(official);
            requireNonNull(search);
        }
    }

    /** What came of a change. */
    sealed interface Change {
        /**
         * It is done, or was so already.
         *
         * @param created whether a version was written
         */
        record Made(boolean created, WorkflowTemplate template) implements Change {
            public Made {
                requireNonNull(template);
            }
        }

        /** The owner has none of this id. */
        record Unknown() implements Change {}

        /** The owner has another one of this id. */
        record Taken() implements Change {}

        /** There is an official one of this id. */
        record Official() implements Change {}

        /** There are {@link WorkflowTemplates#MOST} or {@link WorkflowTemplates#MOST_VERSIONS}. */
        record TooMany() implements Change {}

        /** The owner would have more than {@link WorkflowTemplates#MOST_BYTES}. */
        record TooManyBytes() implements Change {}

        /** It is at another revision than the one that the change is for. */
        record OtherRevision(long revision) implements Change {}
    }
}
