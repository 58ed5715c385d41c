package dev.flowstone.server.api.doc;

import dev.flowstone.engine.template.Templates;
import dev.flowstone.server.http.Area;
import dev.flowstone.server.http.Doc;
import dev.flowstone.server.http.Parameter;
import dev.flowstone.server.http.ProblemCode;

/** Of document templates and their sets. */
public final class TemplateDocs {
    private static final int NAME = 200;
    private static final Parameter SET = Parameter.text("set", NAME, "The set's id.");
    private static final Parameter ID = Parameter.text("id", NAME, "The template's id.");
    private static final Parameter NUMBER = Parameter.text("version", NAME, "The version's number.");
    private static final Parameter TEAM = Parameter.text("team", NAME, "Only those of this team.");
    private static final Parameter VERSION = Parameter.number(
            "version", 1, Templates.MOST_VERSIONS, "Of this version; of the newest that isn't off if left out.");

    public static final Doc LIST_SETS = Doc.of("listTemplateSets", Area.TEMPLATES, "Lists template sets by id")
            .query(TEAM)
            .paged()
            .answers(200, "TemplateSetPage", "A page of them.");

    public static final Doc CREATE_SET = Doc.of("createTemplateSet", Area.TEMPLATES, "Makes a template set")
            .takes("TemplateSetCreate")
            .answers(200, "TemplateSet", "It is there already, and says the same.")
            .answers(201, "TemplateSet", "It is made.")
            .located()
            .tagged(Doc.Version.CHANGES)
            .refuses(ProblemCode.INVALID_STATE, ProblemCode.LIMIT_EXCEEDED);

    public static final Doc SHOW_SET = ofSet("getTemplateSet", "Tells a template set")
            .answers(200, "TemplateSet", "The set.")
            .tagged(Doc.Version.CHANGES);

    public static final Doc UPDATE_SET = ofSet("updateTemplateSet", "Changes a template set, or turns it on or off")
            .takes("TemplateSetUpdate")
            .answers(200, "TemplateSet", "It is changed.")
            .tagged(Doc.Version.REVISION)
            .refuses(ProblemCode.PRECONDITION_FAILED);

    public static final Doc REMOVE_SET = ofSet("removeTemplateSet", "Takes a template set away that has no templates")
            .answers(204, "It is gone.")
            .refuses(ProblemCode.INVALID_STATE);

    public static final Doc LIST = Doc.of("listTemplates", Area.TEMPLATES, "Lists document templates by set and id")
            .query(TEAM, Parameter.text("set", NAME, "Only those of this set."))
            .paged()
            .answers(200, "TemplatePage", "A page of them.");

    public static final Doc SHOW_BY_ID = byId("getTemplate", "Tells the only document template of this id")
            .query(VERSION)
            .answers(200, "TemplateVersion", "The version.")
            .tagged(Doc.Version.CHANGES);

    public static final Doc RENDER_BY_ID =
            rendering(byId("renderTemplate", "Renders the only document template of this id"));

    public static final Doc SHOW = one("getTemplateOfSet", "Tells a document template")
            .query(VERSION)
            .answers(200, "TemplateVersion", "The version.")
            .tagged(Doc.Version.CHANGES);

    public static final Doc RENDER = rendering(one("renderTemplateOfSet", "Renders a document template"));

    public static final Doc VERSIONS = one("listTemplateVersions", "Lists versions of a template, the newest first")
            .paged()
            .answers(200, "TemplateVersionPage", "A page of them.");

    public static final Doc WRITE = Doc.of(
                    "writeTemplateVersion", Area.TEMPLATES, "Writes a template's next version, which never changes")
            .path(SET)
            .path(ID)
            .takes("TemplateWrite")
            .answers(200, "TemplateVersion", "The newest version says the same already.")
            .answers(201, "TemplateVersion", "It is written.")
            .located()
            .tagged(Doc.Version.REVISION)
            .refuses(
                    ProblemCode.TEMPLATE_SET_NOT_FOUND,
                    ProblemCode.WFENG005,
                    ProblemCode.LIMIT_EXCEEDED,
                    ProblemCode.PRECONDITION_FAILED);

    public static final Doc ENABLE = one("enableTemplateVersion", "Turns a version on")
            .path(NUMBER)
            .answers(200, "TemplateVersion", "It is on.");

    public static final Doc DISABLE = one("disableTemplateVersion", "Turns a version off: it is rendered no more")
            .path(NUMBER)
            .answers(200, "TemplateVersion", "It is off.");

    private TemplateDocs() {}

    private static Doc ofSet(String operation, String summary) {
        return Doc.of(operation, Area.TEMPLATES, summary).path(SET).refuses(ProblemCode.TEMPLATE_SET_NOT_FOUND);
    }

    private static Doc one(String operation, String summary) {
        return Doc.of(operation, Area.TEMPLATES, summary).path(SET).path(ID).refuses(ProblemCode.WFENG004);
    }

    private static Doc byId(String operation, String summary) {
        return Doc.of(operation, Area.TEMPLATES, summary)
                .path(ID)
                .refuses(ProblemCode.WFENG004, ProblemCode.TEMPLATE_AMBIGUOUS);
    }

    private static Doc rendering(Doc doc) {
        return doc.query(VERSION)
                .takes("TemplateRender")
                .answers(200, "TemplateRendered", "The document.")
                .refuses(ProblemCode.WFENG005, ProblemCode.INVALID_STATE);
    }
}
