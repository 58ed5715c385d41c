package dev.flowstone.server.template;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.template.WorkflowTemplate;
import dev.flowstone.engine.template.WorkflowTemplateDraft;
import dev.flowstone.engine.template.WorkflowTemplateEntry;
import dev.flowstone.engine.template.WorkflowTemplateId;
import dev.flowstone.engine.template.WorkflowTemplates;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.templates.workflow.Library;
import dev.flowstone.testkit.memory.InMemoryWorkflowTemplates;
import dev.flowstone.testkit.time.VirtualClock;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** A release's templates are there once a node has started, and a node starts without them if it must. */
final class StarterLibraryTest {
    private static final TenantId ANYBODY = new TenantId("anybody");
    private static final WorkflowTemplates.Filter ALL =
            new WorkflowTemplates.Filter(Optional.empty(), Optional.empty(), Optional.empty());

    @Test
    void eachIsThereOnceHoweverOftenNodesStart() throws Exception {
        WorkflowTemplates templates = new InMemoryWorkflowTemplates(VirtualClock.start());

        StarterLibrary.ship(templates);
        StarterLibrary.ship(templates);

        List<WorkflowTemplateEntry> all = templates.list(ANYBODY, ALL, Optional.empty(), 100);
        assertEquals(Library.templates().size(), all.size());
        assertTrue(all.stream().allMatch(it -> it.official() && it.latest() == 1));
        assertTrue(all.stream().allMatch(it -> it.created().by().equals(Actor.ENGINE)));
    }

    @Test
    void aNodeStartsWithoutThemIfTheDatabaseDoesNotAnswer() {
        StarterLibrary.ship(new Unreachable());
    }

    private static final class Unreachable implements WorkflowTemplates {
        private static JournalException away() {
            return new JournalException.Unavailable("away");
        }

        @Override
        public List<WorkflowTemplateEntry> list(
                TenantId tenant, Filter filter, Optional<WorkflowTemplateId> after, int limit) throws JournalException {
            throw away();
        }

        @Override
        public Optional<WorkflowTemplate> find(TenantId tenant, WorkflowTemplateId id, OptionalInt version)
                throws JournalException {
            throw away();
        }

        @Override
        public Change create(TenantId owner, WorkflowTemplateId id, WorkflowTemplateDraft draft, Actor by)
                throws JournalException {
            throw away();
        }

        @Override
        public Change write(
                TenantId owner, WorkflowTemplateId id, WorkflowTemplateDraft draft, OptionalLong expected, Actor by)
                throws JournalException {
            throw away();
        }

        @Override
        public Change enable(TenantId owner, WorkflowTemplateId id, boolean enabled, OptionalLong expected, Actor by)
                throws JournalException {
            throw away();
        }

        @Override
        public Shipment ship(List<Shipped> library, Actor by) throws JournalException {
            throw away();
        }
    }
}
