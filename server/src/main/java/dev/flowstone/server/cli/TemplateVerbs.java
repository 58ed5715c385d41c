package dev.flowstone.server.cli;

import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.cli.Report.Column;
import dev.flowstone.server.cli.Verb.Argument;
import dev.flowstone.server.cli.Verb.Flag;
import dev.flowstone.server.cli.Verb.Kind;
import java.util.List;

/** What people do with templates on a running server; each row is a route of {@code docs/rest.md}. */
final class TemplateVerbs {
    private static final String ROOT = "/templates";
    private static final String WORKFLOWS = ROOT + "/workflows";
    private static final String ONE = WORKFLOWS + "/{id}";
    private static final String DOCUMENT = ROOT + "/{set}/{id}";
    private static final Argument TEMPLATE =
            new Argument("id", "TEMPLATE", "The workflow template's id; `templates list` has it.");
    private static final Argument SET = new Argument("set", "SET", "The set's id; `templates sets` has it.");
    private static final Argument DOCUMENT_TEMPLATE =
            new Argument("id", "TEMPLATE", "The document template's id; `templates documents` has it.");
    private static final Flag VERSION =
            Flag.may("--version", "version", Kind.COUNT_IN_QUERY, "N", "Its version N (default: the newest).");

    private TemplateVerbs() {}

    /** {@code flowstone templates …}. */
    static List<Verb> all() {
        return List.of(
                list(),
                Verb.get(
                                "show",
                                "Show a workflow template with its definition and what its config is.",
                                ONE,
                                new Report.Change(),
                                "templates show poll-and-notify",
                                TEMPLATE)
                        .flags(VERSION),
                instantiate(),
                Verb.post(
                                "create",
                                "Make a workflow template.",
                                WORKFLOWS,
                                "templates create --file tell-a-channel.json")
                        .flags(SharedFlags.file(
                                "JSON with its id, displayName, description, category, definition, configSchema.")),
                Verb.post(
                                "put",
                                "Write its next version; the others stay.",
                                ONE + "/versions",
                                "templates put tell-a-channel --file next.json",
                                TEMPLATE)
                        .flags(
                                SharedFlags.file("JSON with what it says now, all of it but the id."),
                                SharedFlags.REVISION),
                change("enable", "Turn it on."),
                change("disable", "Turn it off: no workflow is made of it."),
                Verb.list(
                                "sets",
                                "List sets of document templates by id.",
                                ROOT + "/sets",
                                new Report.Rows(
                                        List.of(
                                                new Column("SET", "id"),
                                                new Column("TEAM", "team"),
                                                new Column("SHARED", "shared"),
                                                new Column("ON", "isEnabled"),
                                                new Column("REVISION", "revision"),
                                                new Column("NAME", "displayName")),
                                        "No sets of document templates."),
                                "templates sets --team product")
                        .flags(Flag.may("--team", "team", Kind.TEXT, "TEAM", "Only those of this team.")),
                Verb.get(
                        "set",
                        "Show a set of document templates.",
                        ROOT + "/sets/{set}",
                        new Report.Change(),
                        "templates set briefs",
                        SET),
                documents(),
                Verb.get(
                                "document",
                                "Show a document template with its form and body.",
                                DOCUMENT,
                                new Report.Change(),
                                "templates document briefs mobile-app --version 2",
                                SET,
                                DOCUMENT_TEMPLATE)
                        .flags(VERSION),
                render());
    }

    private static Verb list() {
        return Verb.list(
                        "list",
                        "List workflow templates by id.",
                        WORKFLOWS,
                        new Report.Rows(
                                List.of(
                                        new Column("TEMPLATE", "id"),
                                        new Column("CATEGORY", "category"),
                                        new Column("OFFICIAL", "isOfficial"),
                                        new Column("ON", "isEnabled"),
                                        new Column("VERSION", "latestVersion"),
                                        new Column("NAME", "displayName")),
                                "No workflow templates."),
                        "templates list --category people")
                .flags(
                        Flag.may("--category", "category", Kind.TEXT, "CATEGORY", "Only those of this category."),
                        Flag.may("--official", "isOfficial", Kind.TEXT, "true|false", "Only official ones, or others."),
                        Flag.may(
                                "--search",
                                "search",
                                Kind.TEXT,
                                "TEXT",
                                "Only those with it in their id, name, description or tags."));
    }

    private static Verb instantiate() {
        return Verb.post(
                        "instantiate",
                        "Make a draft of a workflow template.",
                        ONE + "/instantiate",
                        "templates instantiate event-to-webhook --name 'Paid orders' --set endpoint=shop --set type=order.paid",
                        TEMPLATE)
                .flags(
                        Flag.must("--name", "displayName", "TEXT", "What the workflow is called."),
                        Flag.may("--workflow", "workflowId", Kind.TEXT, "ID", "The workflow's id (default: drawn)."),
                        Flag.may(
                                "--config",
                                "config",
                                Kind.OBJECT,
                                "FILE",
                                "What the template asks for, a file with a JSON object."),
                        Flag.may(
                                "--set",
                                "config",
                                Kind.MEMBERS,
                                "NAME=VALUE",
                                "One member of the config, before --config's; any number of times. VALUE is JSON if it"
                                        + " is some, else text."),
                        VERSION);
    }

    private static Verb documents() {
        return Verb.list(
                        "documents",
                        "List document templates by set and id.",
                        ROOT,
                        new Report.Rows(
                                List.of(
                                        new Column("SET", "templateSetId"),
                                        new Column("TEMPLATE", "id"),
                                        new Column("TEAM", "team"),
                                        new Column("LATEST", "latestVersion"),
                                        new Column("CURRENT", "currentVersion"),
                                        new Column("NAME", "displayName")),
                                "No document templates."),
                        "templates documents --set briefs")
                .flags(
                        Flag.may("--team", "team", Kind.TEXT, "TEAM", "Only those of this team."),
                        Flag.may("--set", "set", Kind.TEXT, "SET", "Only those of this set."));
    }

    private static Verb render() {
        return new Verb(
                        "render",
                        "Render a document template.",
                        "POST",
                        DOCUMENT + "/render",
                        List.of(SET, DOCUMENT_TEMPLATE),
                        List.of(),
                        JsonObject.EMPTY,
                        new Report.Text("renderedBody"),
                        "templates render briefs mobile-app --answers '{\"title\": \"Gears\"}'")
                .flags(
                        Flag.may("--answers", "answers", Kind.JSON, "JSON|@FILE", "What its form asks for."),
                        Flag.may("--extras", "extras", Kind.JSON, "JSON|@FILE", "What its body reads besides."),
                        VERSION);
    }

    private static Verb change(String name, String header) {
        return Verb.post(name, header, ONE + "/" + name, "templates " + name + " tell-a-channel", TEMPLATE)
                .flags(SharedFlags.REVISION);
    }
}
