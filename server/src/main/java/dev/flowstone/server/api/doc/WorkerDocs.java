package dev.flowstone.server.api.doc;

import dev.flowstone.server.http.Area;
import dev.flowstone.server.http.Doc;
import dev.flowstone.server.http.Parameter;
import dev.flowstone.server.http.ProblemCode;

/** Of workers in other processes. */
public final class WorkerDocs {
    private static final int NAME = 200;

    public static final Doc COMPLETE =
            of("completeTask", "Ends an attempt that was handed out: it worked").takes("TaskComplete");

    public static final Doc FAIL =
            of("failTask", "Ends an attempt that was handed out: it failed").takes("TaskFail");

    public static final Doc LINK = Refusal.ofActivationByItsContent(
                    Doc.of("linkResources", Area.WORKERS, "Names what an attempt makes outside"))
            .takes("TaskLinks")
            .answers(200, "WorkerCall", Refusal.DONE);

    public static final Doc FIND_LINK = Doc.of("findLink", Area.WORKERS, "Tells whose a thing outside is")
            .query(
                    Parameter.prose("type", NAME, "What kind of thing it is.").needed(),
                    Parameter.prose("key", NAME, "What it is called.").needed())
            .answers(200, "LinkFound", "Whose it is.")
            .refuses(ProblemCode.NOT_FOUND);

    public static final Doc CLAIM_WORK = Doc.of(
                    "claimWork", Area.WORKERS, "Takes attempts that wait, or waits for some")
            .takes("WorkClaim")
            .answers(200, "ClaimedTasks", "Those that are this worker's now, perhaps none.");

    public static final Doc HEARTBEAT = Doc.of("renewWork", Area.WORKERS, "Says that attempts are still being made")
            .takes("WorkHeartbeat")
            .answers(200, "TaskBeats", "Whether each is still this worker's.");

    public static final Doc RETURN = Doc.of("returnWork", Area.WORKERS, "Gives attempts back unused")
            .takes("WorkReturn")
            .answers(200, "ReturnedTasks", "What became of each.");

    public static final Doc LEAVE = Doc.of("leaveWork", Area.WORKERS, "Lets a worker's claims that wait come back")
            .takes("WorkLeave")
            .answers(204, "They come back empty.");

    public static final Doc COMPLETE_WORK = Doc.of(
                    "completeWork", Area.WORKERS, "Says how attempts ended, many at once")
            .takes("WorkComplete")
            .answers(200, "CompletedTasks", "What became of each.");

    private WorkerDocs() {}

    private static Doc of(String operation, String summary) {
        return Refusal.ofActivation(Doc.of(operation, Area.WORKERS, summary)).answers(200, "WorkerCall", Refusal.DONE);
    }
}
