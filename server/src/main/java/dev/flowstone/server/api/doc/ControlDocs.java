package dev.flowstone.server.api.doc;

import dev.flowstone.server.http.Area;
import dev.flowstone.server.http.Doc;
import dev.flowstone.server.http.ProblemCode;

/** Of what operators do. */
public final class ControlDocs {
    public static final Doc SUSPEND = run("suspendExecution", "Decides nothing of an execution until it is resumed")
            .takes("Suspend");

    public static final Doc RESUME = Refusal.ofRun(
                    Doc.of("resumeExecution", Area.CONTROL, "Lets an execution go on, or tells what that would do"))
            .takes("Resume")
            .answers(200, "Resumed", Refusal.DONE);

    public static final Doc DRAIN = run("drainExecution", "Lets live work of an execution finish, then suspends it")
            .takes("Drain");

    public static final Doc CANCEL =
            run("cancelExecution", "Ends an execution in good order").takes("Cancel");

    public static final Doc TERMINATE = run("terminateExecution", "Ends an execution now; nothing is undone")
            .takes("Reason");

    public static final Doc FORCE_FAIL = run("forceFailExecution", "Fails an execution, whatever it waits for")
            .takes("Reason")
            .refuses(ProblemCode.SUSPENDED);

    public static final Doc ROLL_BACK = run(
                    "rollBackExecution", "Undoes what was done since a node was entered, and enters it again")
            .takes("Rollback")
            .refuses(ProblemCode.NOT_FOUND, ProblemCode.SUSPENDED);

    public static final Doc FIRE_TIMER =
            run("fireTimer", "Lets a timer go off now").refuses(ProblemCode.NOT_FOUND, ProblemCode.SUSPENDED);

    public static final Doc RETRY_INCIDENT = run("retryIncident", "Tries again what an incident stopped")
            .takes("IncidentRetry")
            .refuses(
                    ProblemCode.NOT_FOUND,
                    ProblemCode.SUSPENDED,
                    ProblemCode.INVALID_COMMAND,
                    ProblemCode.LIMIT_EXCEEDED);

    public static final Doc SKIP_INCIDENT = run("skipIncident", "Lets what an incident stopped count as done")
            .takes("IncidentSkip")
            .refuses(ProblemCode.NOT_FOUND, ProblemCode.SUSPENDED, ProblemCode.LIMIT_EXCEEDED);

    public static final Doc FAIL_INCIDENT = run("failIncident", "Lets what an incident stopped count as failed")
            .takes("IncidentFail")
            .refuses(ProblemCode.NOT_FOUND, ProblemCode.SUSPENDED);

    public static final Doc SET_VARIABLES = run("setVariables", "Writes variables of an execution, all at once")
            .takes("SetVariables")
            .refuses(ProblemCode.SUSPENDED, ProblemCode.LIMIT_EXCEEDED);

    public static final Doc REBUILD = mend("rebuildExecution", "Verifies an execution's log, and makes its rows anew");

    public static final Doc REENQUEUE = mend("reenqueueExecution", "Has an execution's shard take it up again");

    public static final Doc MIGRATE = Refusal.ofRun(
                    Doc.of("migrateExecution", Area.CONTROL, "Moves an execution to another version of its workflow"))
            .takes("Migrate")
            .answers(200, "Migrated", Refusal.DONE)
            .refuses(ProblemCode.VERSION_NOT_FOUND, ProblemCode.WORKFLOW_NOT_FOUND);

    public static final Doc RESET = Doc.of(
                    "resetExecution", Area.CONTROL, "Starts an execution at a recorded point of another one")
            .takes("Reset")
            .answers(200, "ExecutionStarted", "The execution that was started before under this Idempotency-Key.")
            .answers(202, "ExecutionStarted", "A new execution, which is on disk.")
            .located()
            .tagged(Doc.Version.LAST_EVENT)
            .refuses(
                    ProblemCode.INVALID_COMMAND,
                    ProblemCode.SUSPENDED,
                    ProblemCode.IDEMPOTENCY_KEY_REUSED,
                    ProblemCode.LIMIT_EXCEEDED,
                    ProblemCode.QUOTA_EXCEEDED);

    public static final Doc SETTINGS = Doc.of(
                    "listScopeSettings", Area.CONTROL, "Lists what was ever set for the tenant and the system")
            .paged()
            .answers(200, "ScopeSettings", "A page of it, and what is in force.");

    public static final Doc SUSPEND_SCOPE = scope("suspendScope", "Decides nothing of a scope until it is resumed")
            .takes("ScopeSuspend");

    public static final Doc DRAIN_SCOPE = scope("drainScope", "Lets live work of a scope finish, then suspends it")
            .takes("ScopeDrain");

    public static final Doc RESUME_SCOPE =
            scope("resumeScope", "Lets a scope go on").takes("ScopeResume");

    private ControlDocs() {}

    private static Doc run(String operation, String summary) {
        return Refusal.ofRun(Doc.of(operation, Area.CONTROL, summary)).answers(200, "RunCall", Refusal.DONE);
    }

    private static Doc mend(String operation, String summary) {
        return Doc.of(operation, Area.CONTROL, summary)
                .takes("Reason")
                .answers(200, "Mended", "What was found.")
                .tagged(Doc.Version.LAST_EVENT)
                .refuses(ProblemCode.WFENG002);
    }

    private static Doc scope(String operation, String summary) {
        return Doc.of(operation, Area.CONTROL, summary)
                .answers(200, "ScopeChange", "It is set, and every shard has heeded it.")
                .answers(202, "ScopeChange", "It is set; some shards have not heeded it yet.");
    }
}
