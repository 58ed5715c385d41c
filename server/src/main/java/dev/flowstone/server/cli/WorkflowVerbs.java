package dev.flowstone.server.cli;

import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.cli.Verb.Argument;
import dev.flowstone.server.cli.Verb.Flag;
import dev.flowstone.server.cli.Verb.Kind;
import java.util.List;

/** What people do with all runs of a workflow on a running server; each row is a route of {@code docs/rest.md}. */
final class WorkflowVerbs {

    private WorkflowVerbs() {}

    /** {@code flowstone workflows …}. */
    static List<Verb> all() {
        return List.of(new Verb(
                        "migrate",
                        "Move a workflow's runs to another version of it, batch by batch.",
                        "POST",
                        "/workflows/{id}/migrate",
                        List.of(new Argument("id", "WORKFLOW", "The workflow's id.")),
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
                        SharedFlags.DRY_RUN));
    }
}
