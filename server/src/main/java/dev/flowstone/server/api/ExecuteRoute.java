package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.read.RunReader;
import dev.flowstone.kernel.command.Requested;
import dev.flowstone.kernel.command.SubjectBinding;
import dev.flowstone.kernel.id.Subject;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.api.doc.ExecutionDocs;
import dev.flowstone.server.execution.Starts;
import dev.flowstone.server.http.Body;
import dev.flowstone.server.http.BodyRule;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.Fault;
import dev.flowstone.server.http.Fields;
import dev.flowstone.server.http.Limits;
import dev.flowstone.server.http.Problem;
import dev.flowstone.server.http.ProblemCode;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.server.http.Reply;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Scope;
import dev.flowstone.server.http.Waits;
import dev.flowstone.server.trigger.Launcher;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Starts an execution (dataflow.md §13.1). Repeatable by its request id: the tenant's first start under an id decides, a
 * repetition for the same workflow gets the execution that exists, one for another workflow a conflict.
 */
public final class ExecuteRoute {
    private static final Set<String> MEMBERS =
            Set.of("requestId", "principal", "trigger", "priority", "tenantId", "spec", "subject");
    private static final Set<String> ABOUT = Set.of("kind", "id", "version", "exclusive");

    private static final int MOST_PRIORITY = 1_000;
    private static final int REQUEST_ID = 200;
    static final int NAME = 200;

    private final Starts starts;
    private final StartReplies replies;
    private final boolean principalRequired;
    private final Limits limits;

    /**
     * The route.
     *
     * @param principalRequired whether a start has to say for whom it is
     * @param limits on starts of each workflow
     */
    public ExecuteRoute(Starts starts, RunReader runs, boolean principalRequired, Limits limits) {
        this.starts = requireNonNull(starts);
        this.replies = new StartReplies(runs);
        this.principalRequired = principalRequired;
        this.limits = requireNonNull(limits);
    }

    public Route route() {
        return Route.post(
                        "/api/v1/workflows/{id}/execute",
                        Scope.WORKFLOWS_EXECUTE,
                        ExecutionDocs.EXECUTE,
                        BodyRule.OPTIONAL,
                        this::execute)
                .waiting(Waits.START);
    }

    private Reply execute(Call call) throws ProblemException, JournalException {
        WorkflowId workflow = Answers.workflow(call);
        Fields body = call.body().orElseGet(ExecuteRoute::empty).object().only(MEMBERS);
        Answers.ownTenant(call, body.text("tenantId", NAME));
        Optional<String> requestId = requestId(call, body);
        Starter starter = Starter.of(call, body, principalRequired);
        Map<String, JsonValue> input = new LinkedHashMap<>();
        input.put(Starts.TRIGGER, body.value("trigger").orElse(JsonObject.EMPTY));
        input.put(Starts.SPEC, body.value("spec").orElse(JsonObject.EMPTY));
        StartCount count = new StartCount(call.tally(), limits, call.tenant(), workflow);
        Starts.Wish wish = new Starts.Wish(
                call.tenant(),
                workflow,
                call.query().text("version").isPresent(),
                requestId,
                input,
                starter.actor(),
                call.correlation(),
                new Requested(starter.displayName(), starter.email(), body.number("priority", 0, MOST_PRIORITY)),
                subject(body));
        Starts.Outcome outcome = starts.start(wish, count);
        if (outcome instanceof Starts.Outcome.NotNow) {
            count.check();
        }
        StartReplies.Asked asked = new StartReplies.Asked(call.tenant(), workflow, requestId);
        return replies.reply(asked, outcome, it -> fault(body, it));
    }

    private static Body empty() {
        return new Body(new byte[] {'{', '}'});
    }

    private static Optional<String> requestId(Call call, Fields body) throws ProblemException {
        Optional<String> given = body.text("requestId", REQUEST_ID);
        Optional<String> key = call.idempotencyKey();
        if (given.isPresent() && key.isPresent() && !given.equals(key)) {
            throw Problem.of(
                            ProblemCode.IDEMPOTENCY_KEY_DIFFERS,
                            "the header Idempotency-Key and the body's requestId name the same thing and differ;"
                                    + " send one of them, or both alike")
                    .exception();
        }
        Optional<String> requestId = given.or(() -> key);
        if (requestId
                .filter(it -> Launcher.isReserved(it, call.caller().principal()))
                .isPresent()) {
            throw Problem.of(
                            ProblemCode.INVALID_REQUEST,
                            "request ids such as trigger:ID:DELIVERY are those of triggers; choose another one")
                    .exception();
        }
        return requestId;
    }

    private static Optional<SubjectBinding> subject(Fields body) throws ProblemException {
        Optional<Fields> subject = body.object("subject");
        if (subject.isEmpty()) {
            return Optional.empty();
        }
        Fields about = subject.get().only(ABOUT);
        return Optional.of(new SubjectBinding(
                new Subject(about.requiredText("kind", NAME), about.requiredText("id", NAME)),
                about.count("version").orElse(0L),
                about.flag("exclusive", true)));
    }

    private static Fault fault(Fields body, dev.flowstone.dialect.fault.Fault it) {
        String pointer = "/" + Starts.TRIGGER + it.pointer();
        var place = body.place(pointer);
        return new Fault(it.code().id(), pointer, place.line(), place.column(), it.message(), it.remedy());
    }
}
