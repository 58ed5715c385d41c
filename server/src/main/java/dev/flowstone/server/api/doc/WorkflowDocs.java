package dev.flowstone.server.api.doc;

import dev.flowstone.server.http.Area;
import dev.flowstone.server.http.Doc;
import dev.flowstone.server.http.Parameter;
import dev.flowstone.server.http.ProblemCode;
import java.util.List;

/** Of workflows and policies. */
public final class WorkflowDocs {
    /** The greatest number of a version that can be asked for. */
    public static final int MOST_VERSIONS = 999_999_999;

    /** The word for a draft where a version is asked for. */
    public static final String DRAFT = "draft";

    private static final int SEARCH_LENGTH = 200;

    public static final Doc LIST = Doc.of("listWorkflows", Area.WORKFLOWS, "Lists workflows by id")
            .query(
                    Parameter.text("tenantId", 200, "Must be the call's: nobody sees another tenant's workflows."),
                    Parameter.choice("status", List.of("Draft", "Active", "Archived"), "Only those in this state."),
                    Parameter.flag("isEnabled", "Only those that take executions, or take none."),
                    Parameter.text(
                            "search",
                            SEARCH_LENGTH,
                            "Only those whose id or name contains this, in any case. A page looks at a bounded number"
                                    + " of workflows: it may be short, or empty, and have a `next`."))
            .paged()
            .answers(200, "WorkflowPage", "A page of them.");

    public static final Doc SAVE = Refusal.ofDefinition(
                    Doc.of("saveWorkflow", Area.WORKFLOWS, "Creates a draft, or replaces the one that is open"))
            .takes("WorkflowDefinition")
            .answers(200, "WorkflowSummary", "The draft that was open is replaced.")
            .answers(201, "WorkflowSummary", "A draft is created.")
            .located()
            .refuses(ProblemCode.WFENG005, ProblemCode.IMMUTABLE);

    public static final Doc READ = Doc.of("getWorkflow", Area.WORKFLOWS, "Tells a workflow with a definition")
            .query(Parameter.numberOr(
                    "version",
                    1,
                    MOST_VERSIONS,
                    List.of(DRAFT),
                    "The version whose definition is told, or the draft's; the current version's if left out."))
            .answers(200, "Workflow", "The workflow.")
            .tagged(Doc.Version.REVISION)
            .refuses(ProblemCode.VERSION_NOT_FOUND);

    public static final Doc VERSIONS = Doc.of(
                    "listWorkflowVersions", Area.WORKFLOWS, "Lists versions of a workflow, the newest first")
            .paged()
            .answers(200, "WorkflowVersionPage", "A page of them; empty if none was ever published.");

    public static final Doc DELETE = Refusal.ofWorkflow(
                    Doc.of("deleteWorkflow", Area.WORKFLOWS, "Deletes a workflow that was never active"))
            .answers(204, "It is deleted.");

    public static final Doc OPEN_DRAFT = Refusal.ofWorkflow(
                    Doc.of("openDraft", Area.WORKFLOWS, "Opens the next draft beside the active version"))
            .takes("WorkflowDefinition")
            .answers(200, "WorkflowSummary", "A draft was open.")
            .answers(201, "WorkflowSummary", "A draft is opened: a copy of the version, or the body.")
            .located()
            .refuses(ProblemCode.WFENG005);

    public static final Doc DISCARD_DRAFT = Refusal.ofWorkflow(
                    Doc.of("discardDraft", Area.WORKFLOWS, "Discards the draft beside the versions"))
            .answers(200, "WorkflowSummary", "It is discarded.");

    public static final Doc PUBLISH = Refusal.ofWorkflow(
                    Doc.of("publishWorkflow", Area.WORKFLOWS, "Makes the draft a version, which never changes"))
            .query(Parameter.flag("autoActivate", "Whether the version is taken into use at once; true if left out."))
            .answers(200, "PublishedWorkflow", "The version, new or the equal one that there was.")
            .refuses(ProblemCode.WFENG005);

    public static final Doc ARCHIVE = Refusal.ofWorkflow(Doc.of(
                    "archiveWorkflow", Area.WORKFLOWS, "Takes a workflow out of use; executions in flight go on"))
            .answers(200, "WorkflowTurned", "It is archived.");

    public static final Doc REACTIVATE = Refusal.ofWorkflow(
                    Doc.of("reactivateWorkflow", Area.WORKFLOWS, "Takes a workflow into use again"))
            .answers(200, "WorkflowTurned", "It is active.");

    public static final Doc MIGRATE = Doc.of(
                    "migrateWorkflow",
                    Area.CONTROL,
                    "Moves a workflow's executions to another version, a page at a time")
            .takes("WorkflowMigrate")
            .answers(200, "WorkflowMigration", "What became of each.")
            .refuses(ProblemCode.VERSION_NOT_FOUND);

    public static final Doc POLICY = Doc.of("getPolicy", Area.POLICIES, "Tells a version of a policy")
            .query(Parameter.number("version", 1, MOST_VERSIONS, "The version; the current one if left out."))
            .answers(200, "Policy", "The version.")
            .refuses(ProblemCode.POLICY_NOT_FOUND);

    public static final Doc PUBLISH_POLICY = Doc.of(
                    "publishPolicy", Area.POLICIES, "Publishes a policy's next version, which is in force at once")
            .takes("PolicyBundle")
            .answers(200, "Policy", "The version, new or the equal one that is current.")
            .refuses(ProblemCode.WFENG005, ProblemCode.LIMIT_EXCEEDED);

    private WorkflowDocs() {}
}
