package dev.flowstone.server.template;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.template.WorkflowTemplates;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.templates.workflow.Library;
import java.lang.System.Logger.Level;

/** The official templates of this release, brought into the database when a node starts. */
public final class StarterLibrary {
    private static final System.Logger LOG = System.getLogger(StarterLibrary.class.getName());

    private StarterLibrary() {}

    /**
     * Writes those that the database doesn't have in this edition yet; several nodes may do so at once. A node starts without it if the
     * database doesn't answer just then: the next start does it.
     */
    public static void ship(WorkflowTemplates templates) {
        try {
            WorkflowTemplates.Shipment shipment = templates.ship(Library.templates(), Actor.ENGINE);
            if (shipment.written() > 0) {
                LOG.log(Level.INFO, "official workflow templates written: " + shipment.written());
            }
            shipment.kept()
                    .forEach(id -> LOG.log(
                            Level.WARNING,
                            "the release's workflow template '" + id
                                    + "' isn't written: an official one of that id was made here, which stays"));
        } catch (JournalException e) {
            LOG.log(
                    Level.WARNING,
                    "the official workflow templates can't be written now, the next start does it: " + e.getMessage());
        }
    }
}
