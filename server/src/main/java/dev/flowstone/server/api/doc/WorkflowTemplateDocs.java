package dev.flowstone.server.api.doc;

import dev.flowstone.server.http.Area;
import dev.flowstone.server.http.Doc;
import dev.flowstone.server.http.Parameter;
import dev.flowstone.server.http.ProblemCode;

/** Of workflow templates. */
public final class WorkflowTemplateDocs {
    private static final int NAME = 200;
    private static final Parameter ID = Parameter.text("id", NAME, "The template's id.");
    private static final Parameter VERSION =
            Parameter.number("version", 1, Integer.MAX_VALUE, "Of this version; of the newest if left out.");

    public static final Doc LIST = Doc.of("listWorkflowTemplates", Area.TEMPLATES, "Lists workflow templates by id")
            .query(
                    Parameter.text("category", NAME, "Only those of this category."),
                    Parameter.flag("isOfficial", "Only official ones, or only others."),
                    Parameter.text(
                            "search",
                            NAME,
                            "Only those whose id, name, description or tags contain this, in any case."))
            .paged()
            .answers(200, "WorkflowTemplatePage", "A page of them.");

    public static final Doc CREATE = Doc.of("createWorkflowTemplate", Area.TEMPLATES, "Makes a workflow template")
            .takes("WorkflowTemplateCreate")
            .answers(200, "WorkflowTemplate", "It is there already, and says the same.")
            .answers(201, "WorkflowTemplate", "It is made.")
            .located()
            .tagged(Doc.Version.CHANGES)
            .refuses(ProblemCode.WFENG005, ProblemCode.INVALID_STATE, ProblemCode.LIMIT_EXCEEDED);

    public static final Doc SHOW = one("getWorkflowTemplate", "Tells a workflow template")
            .query(VERSION)
            .answers(200, "WorkflowTemplate", "The template.")
            .tagged(Doc.Version.CHANGES);

    public static final Doc WRITE = one(
                    "writeWorkflowTemplateVersion", "Writes a template's next version, which never changes")
            .takes("WorkflowTemplateWrite")
            .answers(200, "WorkflowTemplate", "The newest version says the same already.")
            .answers(201, "WorkflowTemplate", "It is written.")
            .located()
            .tagged(Doc.Version.REVISION)
            .refuses(ProblemCode.WFENG005, ProblemCode.LIMIT_EXCEEDED, ProblemCode.PRECONDITION_FAILED);

    public static final Doc ENABLE = one("enableWorkflowTemplate", "Turns a workflow template on")
            .answers(200, "WorkflowTemplate", "It is on.")
            .tagged(Doc.Version.REVISION)
            .refuses(ProblemCode.PRECONDITION_FAILED);

    public static final Doc DISABLE = one(
                    "disableWorkflowTemplate", "Turns a workflow template off: no workflow is made of it")
            .answers(200, "WorkflowTemplate", "It is off.")
            .tagged(Doc.Version.REVISION)
            .refuses(ProblemCode.PRECONDITION_FAILED);

    public static final Doc INSTANTIATE = one("instantiateWorkflowTemplate", "Makes a draft of a workflow template")
            .query(VERSION)
            .takes("WorkflowTemplateInstantiate")
            .answers(200, "WorkflowTemplateDrafted", "The draft that this request made before.")
            .answers(201, "WorkflowTemplateDrafted", "The draft is made.")
            .located()
            .tagged(Doc.Version.CHANGES)
            .refuses(
                    ProblemCode.WFENG005,
                    ProblemCode.INVALID_STATE,
                    ProblemCode.WORKFLOW_STATE,
                    ProblemCode.IDEMPOTENCY_KEY_REUSED);

    private WorkflowTemplateDocs() {}

    private static Doc one(String operation, String summary) {
        return Doc.of(operation, Area.TEMPLATES, summary).path(ID).refuses(ProblemCode.WORKFLOW_TEMPLATE_NOT_FOUND);
    }
}
