package dev.flowstone.server.cli;

import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.cli.Report.Column;
import dev.flowstone.server.cli.Verb.Argument;
import dev.flowstone.server.cli.Verb.Flag;
import dev.flowstone.server.cli.Verb.Kind;
import java.util.List;

/** What people do with workflows, and with all runs of one, on a running server; each row is a route of {@code docs/rest.md}. */
final class WorkflowVerbs {
    private static final String ROOT = "/workflows";
    private static final String ONE = ROOT + "/{id}";
    private static final Argument WORKFLOW = new Argument("id", "WORKFLOW", "The workflow's id.");

    private WorkflowVerbs() {}

    /** {@code flowstone workflows …}. */
    static List<Verb> all() {
        return List.of(
                list(),
                Verb.get(
                                "show",
                                "Show a workflow with its definition.",
                                ONE,
                                new Report.Change(),
                                "workflows show order --version draft",
                                WORKFLOW)
                        .flags(Flag.may(
                                "--version",
                                "version",
                                Kind.TEXT,
                                "N|draft",
                                "Its version N, or its open draft (default: the current version).")),
                Verb.list(
                        "versions",
                        "List a workflow's versions, the newest first.",
                        ONE + "/versions",
                        new Report.Rows(
                                List.of(
                                        new Column("VERSION", "version"),
                                        new Column("CURRENT", "isCurrent"),
                                        new Column("PUBLISHED", "publishedAt"),
                                        new Column("CHECKSUM", "checksum")),
                                "No versions."),
                        "workflows versions order",
                        WORKFLOW),
                Verb.post(
                                "put",
                                "Make a draft of a new workflow, or replace the one that is open.",
                                ROOT,
                                "workflows put --file order.json")
                        .flags(SharedFlags.file("The definition."), SharedFlags.REVISION),
                Verb.post(
                                "draft",
                                "Open the next draft beside the active version.",
                                ONE + "/draft",
                                "workflows draft order --file order-next.json",
                                WORKFLOW)
                        .flags(
                                Flag.may(
                                        "--file",
                                        "",
                                        Kind.BODY,
                                        "FILE",
                                        "The definition (default: a copy of the current version)."),
                                SharedFlags.REVISION),
                change("publish", "Make the draft a version, and take it into use.")
                        .flags(
                                new Flag(
                                        "--stage",
                                        "autoActivate",
                                        Kind.OFF_IN_QUERY,
                                        "",
                                        false,
                                        "Only make the version; the one in use stays so."),
                                SharedFlags.REVISION),
                Verb.delete(
                                "discard",
                                "Discard the draft beside the active version.",
                                ONE + "/draft",
                                "workflows discard order",
                                WORKFLOW)
                        .flags(SharedFlags.REVISION),
                change("archive", "Take a workflow out of use; what has begun goes on.")
                        .flags(SharedFlags.REVISION),
                change("reactivate", "Take an archived workflow into use again.")
                        .flags(SharedFlags.REVISION),
                Verb.delete("remove", "Remove what was never in use.", ONE, "workflows remove order", WORKFLOW)
                        .flags(SharedFlags.REVISION),
                migrate());
    }

    private static Verb list() {
        return Verb.list(
                        "list",
                        "List workflows by id.",
                        ROOT,
                        new Report.Rows(
                                List.of(
                                        new Column("WORKFLOW", "id"),
                                        new Column("STATUS", "status"),
                                        new Column("CURRENT", "currentVersion"),
                                        new Column("LATEST", "latestVersion"),
                                        new Column("DRAFT", "hasDraft"),
                                        new Column("REVISION", "revision"),
                                        new Column("UPDATED", "updatedAt"),
                                        new Column("NAME", "displayName")),
                                "No workflows."),
                        "workflows list --status Active")
                .flags(
                        Flag.may("--status", "status", Kind.TEXT, "STATUS", "Only Draft, Active or Archived ones."),
                        Flag.may("--search", "search", Kind.TEXT, "TEXT", "Only those with it in their id or name."));
    }

    private static Verb migrate() {
        return new Verb(
                        "migrate",
                        "Move a workflow's runs to another version of it, batch by batch.",
                        "POST",
                        ONE + "/migrate",
                        List.of(WORKFLOW),
                        List.of(),
                        JsonObject.builder()
                                .put("dryRun", JsonBoolean.of(false))
                                .build(),
                        new Report.Batches("batches"),
                        "workflows migrate order --version 2 --dry-run")
                .flags(
                        SharedFlags.VERSION,
                        SharedFlags.NODES,
                        Flag.may(
                                "--from-version",
                                "fromVersion",
                                Kind.COUNT,
                                "N",
                                "Only runs of this version (default: of every other)."),
                        Flag.may("--limit", "limit", Kind.COUNT, "N", "Runs in a batch, up to 200 (default: 50)."),
                        Flag.may("--batches", "batches", Kind.COUNT, "N", "At most so many batches (default: all)."),
                        Flag.may("--after", "after", Kind.TEXT, "RUN", "On from here, as the last batch said."),
                        SharedFlags.DRY_RUN);
    }

    private static Verb change(String name, String header) {
        return Verb.post(name, header, ONE + "/" + name, "workflows " + name + " order", WORKFLOW);
    }
}
