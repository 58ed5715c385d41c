package dev.flowstone.server.api.doc;

import dev.flowstone.server.http.Area;
import dev.flowstone.server.http.Doc;
import dev.flowstone.server.http.Parameter;
import dev.flowstone.server.http.ProblemCode;

/** Of what people are asked, and of signals. */
public final class TaskDocs {
    private static final int NAME = 250;

    private static final Parameter DUE_BEFORE = Parameter.time("dueBefore", "Only those that are due before then.");

    public static final Doc LIST = Doc.of("listTasks", Area.TASKS, "Lists open tasks, the oldest first")
            .query(
                    Parameter.text("assignee", NAME, "Only those that ask this party, `user:ID` or `role:NAME`."),
                    Parameter.text("claimedBy", NAME, "Only those that this one has claimed, `user:ID`."),
                    ExecutionDocs.OF_WORKFLOW,
                    DUE_BEFORE)
            .paged()
            .answers(200, "HumanTaskPage", "A page of them.");

    public static final Doc OWN = Doc.of(
                    "listApprovals", Area.TASKS, "Lists open tasks that ask the caller and nobody else has claimed")
            .query(ExecutionDocs.OF_WORKFLOW, DUE_BEFORE)
            .paged()
            .answers(200, "HumanTaskPage", "A page of them.");

    public static final Doc OF_ONE = Doc.of("listTasksOfExecution", Area.TASKS, "Lists open tasks of one execution")
            .paged()
            .answers(200, "HumanTaskPage", "A page of them.");

    public static final Doc CLAIM = task("claimTask", "Reserves a task for the caller")
            .takes("TaskClaim")
            .refuses(ProblemCode.NOT_ASSIGNED);

    public static final Doc HEARTBEAT =
            task("renewTask", "Begins the lease of a claim anew").takes("TaskLease");

    public static final Doc RELEASE = task("releaseTask", "Gives a claim back").takes("TaskRelease");

    public static final Doc DECIDE = task("decideTask", "Decides once")
            .takes("TaskDecide")
            .refuses(
                    ProblemCode.INVALID_COMMAND,
                    ProblemCode.NOT_ASSIGNED,
                    ProblemCode.STALE_SUBJECT_VERSION,
                    ProblemCode.LIMIT_EXCEEDED);

    public static final Doc DELEGATE = task("delegateTask", "Hands a task on to somebody else")
            .takes("TaskDelegate")
            .refuses(ProblemCode.INVALID_COMMAND, ProblemCode.NOT_ASSIGNED, ProblemCode.LIMIT_EXCEEDED);

    public static final Doc REASSIGN =
            task("reassignTask", "Asks others instead").takes("TaskReassign").refuses(ProblemCode.LIMIT_EXCEEDED);

    public static final Doc RESOLVE = task("resolveTask", "Settles a task, whatever its quorum")
            .takes("TaskResolve")
            .refuses(ProblemCode.INVALID_COMMAND);

    public static final Doc ATTESTATIONS = Doc.of(
                    "listAttestations", Area.TASKS, "Lists what people are to say about what can't be undone")
            .paged()
            .answers(200, "AttestationPage", "A page of it.")
            .tagged(Doc.Version.SEQUENCE);

    public static final Doc ATTEST = Refusal.ofRun(
                    Doc.of("attest", Area.TASKS, "Says what became of something that can't be undone"))
            .takes("Attest")
            .answers(200, "RunCall", Refusal.DONE)
            .refuses(ProblemCode.NOT_FOUND);

    public static final Doc SIGNAL = Doc.of(
                    "sendSignal", Area.SIGNALS, "Sends a signal to whoever waits for its type and key")
            .takes("Signal")
            .answers(202, "SignalSent", "What became of it; it is on disk.")
            .refuses(ProblemCode.IDEMPOTENCY_KEY_REUSED, ProblemCode.LIMIT_EXCEEDED, ProblemCode.SIGNAL_BUFFER_FULL);

    private TaskDocs() {}

    private static Doc task(String operation, String summary) {
        return Refusal.ofActivation(Doc.of(operation, Area.TASKS, summary))
                .answers(200, "HumanTaskCall", Refusal.DONE)
                .refuses(ProblemCode.STALE_ACTIVATION);
    }
}
