package dev.flowstone.server.api.doc;

import dev.flowstone.server.execution.ExecutionStatus;
import dev.flowstone.server.http.Area;
import dev.flowstone.server.http.Doc;
import dev.flowstone.server.http.Page;
import dev.flowstone.server.http.Parameter;
import dev.flowstone.server.http.ProblemCode;
import java.util.List;

/** Of executions, to start and to look at. */
public final class ExecutionDocs {
    /** The lists that an execution can be asked for with it. */
    public static final List<String> INCLUDED = List.of("actions", "children", "resources", "events", "context");

    public static final int FARTHEST = 10_000;
    public static final int MOST_EVENTS = 999_999_999;
    private static final int NAME = 200;

    static final Parameter OF_WORKFLOW = Parameter.text("workflowId", NAME, "Only those of this workflow.");

    public static final Doc EXECUTE = Doc.of("executeWorkflow", Area.EXECUTIONS, "Starts a workflow")
            .query(Parameter.choice(
                    "version",
                    List.of(WorkflowDocs.DRAFT),
                    "Starts the open draft, where the installation allows that; the current version if left out."))
            .takes("Execute")
            .answers(200, "ExecutionStarted", "The execution that this request id started before.")
            .answers(202, "ExecutionStarted", "A new execution, which is on disk.")
            .located()
            .tagged(Doc.Version.LAST_EVENT)
            .refuses(
                    ProblemCode.WFENG001,
                    ProblemCode.WFENG005,
                    ProblemCode.IDEMPOTENCY_KEY_DIFFERS,
                    ProblemCode.NOT_EXECUTABLE,
                    ProblemCode.SUSPENDED,
                    ProblemCode.SUBJECT_BUSY,
                    ProblemCode.STALE_SUBJECT_VERSION,
                    ProblemCode.QUOTA_EXCEEDED);

    public static final Doc LIST = Doc.of("listExecutions", Area.EXECUTIONS, "Lists executions, the newest first")
            .query(
                    OF_WORKFLOW,
                    Parameter.choice("status", ExecutionStatus.values(), "Only those in this state."),
                    Parameter.time("startedSince", "Only those that began then or later."),
                    Parameter.time("startedBefore", "Only those that began before then."))
            .paged()
            .answers(200, "ExecutionPage", "A page of them.");

    public static final Doc READ = Doc.of("getExecution", Area.EXECUTIONS, "Tells an execution")
            .query(
                    Parameter.words(
                            "include",
                            INCLUDED,
                            "What is told with it: lists, each a page of `limit`, and the context."),
                    Page.LIMIT_PARAMETER,
                    Parameter.number(
                            "offset",
                            0,
                            FARTHEST,
                            "How many items of each list are passed over; not beside a cursor, which costs less."),
                    Page.cursor("cursor", "The `next` of the list in `include`, if it is the only one."),
                    Page.cursor("actionsAfter", "The `next` of the actions."),
                    Page.cursor("childrenAfter", "The `next` of the children."),
                    Page.cursor("resourcesAfter", "The `next` of the resources."),
                    Page.cursor("eventsAfter", "The `next` of the events."))
            .answers(200, "Execution", "The execution.")
            .tagged(Doc.Version.SEQUENCE);

    public static final Doc GRAPH = Doc.of(
                    "getExecutionGraph", Area.EXECUTIONS, "Draws the path that an execution has taken, or tells it")
            .query(Parameter.choice("format", List.of("svg", "mermaid", "json"), "How; `svg` if left out."))
            .answers(200, "ExecutionGraph", "Its nodes and edges, for who draws them.")
            .answersText("image/svg+xml", "A drawing.")
            .answersText("text/vnd.mermaid", "A description of a drawing.")
            .tagged(Doc.Version.SEQUENCE);

    public static final Doc STREAM = Doc.of(
                    "streamExecution", Area.EXECUTIONS, "Tells an execution's events as they happen, to its end")
            .query(Parameter.number(
                    "from",
                    1,
                    MOST_EVENTS,
                    "The number of the first event; 1 if left out. Last-Event-ID wins over it."))
            .answersText(
                    "text/event-stream",
                    "Server-Sent Events: each has the number of the event as its `id`, and as `data` an Event. The last one"
                            + " is called `end`, and tells the execution's `status`. Where a stored event can't be read, it"
                            + " comes behind one called `damaged`, which tells the `event` and the `error`.")
            .answers(
                    204,
                    "There is nothing behind Last-Event-ID, and never will be: the execution is over, or damaged there."
                            + " Come back no more.")
            .resumable();

    public static final Doc HIERARCHY = Doc.of(
                    "getExecutionHierarchy", Area.EXECUTIONS, "Tells the whole tree that an execution belongs to")
            .paged()
            .answers(200, "Hierarchy", "A page of it.");

    public static final Doc TIMELINE = Doc.of(
                    "getTimeline", Area.EXECUTIONS, "Tells an execution's events, each with what it means")
            .query(
                    Parameter.number("from", 1, MOST_EVENTS, "The number of the first event; 1 if left out."),
                    Page.LIMIT_PARAMETER,
                    Parameter.number("cursor", 1, MOST_EVENTS, "Another name of `from`; send one of them."))
            .answers(200, "Timeline", "A page of them.")
            .tagged(Doc.Version.SEQUENCE);

    public static final Doc TIMERS = Doc.of("listTimers", Area.EXECUTIONS, "Lists an execution's timers that are set")
            .paged()
            .answers(200, "TimerPage", "A page of them.")
            .tagged(Doc.Version.SEQUENCE);

    public static final Doc INCIDENTS = Doc.of(
                    "listIncidents", Area.EXECUTIONS, "Lists what has stopped and waits for an operator")
            .paged()
            .answers(200, "IncidentPage", "A page of them.")
            .tagged(Doc.Version.SEQUENCE);

    public static final Doc CHILDREN = Doc.of(
                    "listChildren", Area.EXECUTIONS, "Lists the executions that an execution called")
            .paged()
            .answers(200, "ChildPage", "A page of them.")
            .tagged(Doc.Version.SEQUENCE);

    public static final Doc VARIABLES = Doc.of("getVariables", Area.EXECUTIONS, "Tells an execution's variables")
            .answers(200, "Variables", "All of them.")
            .tagged(Doc.Version.SEQUENCE);

    public static final Doc AGGREGATES = Doc.of(
                    "countExecutions", Area.EXECUTIONS, "Counts executions by workflow and status")
            .query(
                    OF_WORKFLOW,
                    Parameter.time(
                            "startedSince",
                            "Only those that began then or later, the newest 25,000; all, exactly, if left out."))
            .answers(200, "Aggregates", "How many there are.");

    public static final Doc STUCK = Doc.of("listStuck", Area.EXECUTIONS, "Lists executions that nothing moves")
            .query(Parameter.words("kind", Kinds.ofStuck(), "Only those that stand still in these ways."))
            .paged()
            .answers(
                    200,
                    "StuckPage",
                    "A page of them, which may be empty and have a `next`: it looks at a bounded number of rows.");

    private ExecutionDocs() {}
}
