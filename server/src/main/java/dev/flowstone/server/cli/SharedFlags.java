package dev.flowstone.server.cli;

import dev.flowstone.server.cli.Verb.Flag;
import dev.flowstone.server.cli.Verb.Kind;

/** Flags that verbs of several groups take. */
final class SharedFlags {
    static final Flag REASON = Flag.must("--reason", "reason", "TEXT", "Why; it stands in the history.");
    static final Flag LIMIT = Flag.may("--limit", "limit", Kind.COUNT, "N", "At most so many.");
    static final Flag AFTER =
            Flag.may("--after", "after", Kind.TEXT, "CURSOR", "The next page, as the last one named it.");
    static final Flag WORKFLOW = Flag.may("--workflow", "workflowId", Kind.TEXT, "ID", "Only those of this workflow.");
    static final Flag WITHIN = Flag.may(
            "--within",
            "timeToLiveSeconds",
            Kind.SECONDS,
            "TIME",
            "Suspended after this long at the latest (default: 1h).");
    static final Flag DRY_RUN = Flag.on("--dry-run", "dryRun", "Tell what would happen; nothing is done.");
    static final Flag VERSION =
            Flag.may("--version", "version", Kind.COUNT, "N", "The version (default: the workflow's current one).");
    static final Flag NODES =
            Flag.may("--nodes", "nodes", Kind.JSON, "JSON|@FILE", "New names of nodes by old ones, an object.");

    static final Flag REVISION = Flag.may(
            "--revision",
            "",
            Kind.REVISION,
            "N",
            "Only if it is at this revision still, as it was shown; else exit 1.");
    static final Flag COMMENT = Flag.may("--comment", "comment", Kind.TEXT, "TEXT", "Why; it is kept with the deed.");

    static final Flag OF_RUN = Flag.may("--run", "executionId", Kind.TEXT, "RUN", "Only those of this run.");
    static final Flag PER_SECOND =
            Flag.may("--per-second", "perSecond", Kind.COUNT, "N", "So many become due each second (default: 10).");

    /** A file with an object that is the body. */
    static Flag file(String meaning) {
        return new Flag("--file", "", Kind.BODY, "FILE", true, meaning);
    }

    private SharedFlags() {}
}
