package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.HumanCommand;
import dev.flowstone.kernel.command.Party;
import dev.flowstone.kernel.event.HumanEvent.HumanTaskSettled;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.server.api.doc.TaskDocs;
import dev.flowstone.server.http.BodyRule;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.Doc;
import dev.flowstone.server.http.Fields;
import dev.flowstone.server.http.Handler;
import dev.flowstone.server.http.Problem;
import dev.flowstone.server.http.ProblemCode;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.server.http.Reply;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Scope;
import dev.flowstone.server.http.Waits;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * What people do with what they are asked (kernel rules R13–R15). The caller acts; for somebody else, or against the
 * order, only with the scope {@code tasks:manage}.
 */
final class HumanRoutes {
    private static final String TASK = ExecutionJson.ROOT + "/{id}/tasks/{activation}/";
    private static final int NAME = 200;
    private static final int PROSE = 4_000;
    private static final int PARTY = Party.MAX_LENGTH + 5;
    private static final int MOST_PARTIES = 100;
    private static final int LONGEST_LEASE = 366 * 24 * 3_600;
    private static final int LEASE = 900;
    private static final String OVERRIDE = "override";
    private static final String LEASE_SECONDS = "leaseSeconds";
    private static final String REASON = "reason";

    private final RunCalls calls;

    HumanRoutes(RunCalls calls) {
        this.calls = requireNonNull(calls);
    }

    List<Route> routes() {
        return List.of(
                task("claim", Scope.TASKS_WRITE, TaskDocs.CLAIM, BodyRule.OPTIONAL, this::claim),
                task("heartbeat", Scope.TASKS_WRITE, TaskDocs.HEARTBEAT, BodyRule.OPTIONAL, this::heartbeat),
                task("release", Scope.TASKS_WRITE, TaskDocs.RELEASE, BodyRule.OPTIONAL, this::release),
                task("decide", Scope.TASKS_WRITE, TaskDocs.DECIDE, BodyRule.REQUIRED, this::decide),
                task("delegate", Scope.TASKS_WRITE, TaskDocs.DELEGATE, BodyRule.REQUIRED, this::delegate),
                task("reassign", Scope.TASKS_MANAGE, TaskDocs.REASSIGN, BodyRule.REQUIRED, this::reassign),
                task("resolve", Scope.TASKS_MANAGE, TaskDocs.RESOLVE, BodyRule.REQUIRED, this::resolve),
                Route.post(
                        ExecutionJson.ROOT + "/{id}/attestations/{attestation}",
                        Scope.TASKS_WRITE,
                        TaskDocs.ATTEST,
                        BodyRule.REQUIRED,
                        this::attest));
    }

    private static Route task(String verb, Scope scope, Doc doc, BodyRule body, Handler handler) {
        return Route.post(TASK + verb, scope, doc, body, handler).waiting(Waits.CALL);
    }

    private Reply claim(Call call) throws ProblemException, JournalException {
        Fields body = call.fields().only(Set.of(LEASE_SECONDS, OVERRIDE));
        return ask(
                call,
                new HumanCommand.Claim(
                        Answers.activation(call), call.caller().roles(), lease(body), override(call, body)));
    }

    private Reply heartbeat(Call call) throws ProblemException, JournalException {
        Fields body = call.fields().only(Set.of(LEASE_SECONDS));
        return ask(call, new HumanCommand.Heartbeat(Answers.activation(call), lease(body)));
    }

    private Reply release(Call call) throws ProblemException, JournalException {
        Fields body = call.fields().only(Set.of(OVERRIDE));
        return ask(call, new HumanCommand.Release(Answers.activation(call), override(call, body)));
    }

    private Reply decide(Call call) throws ProblemException, JournalException {
        Fields body = call.fields().only(Set.of("outcome", "rationale", "onBehalfOf", "subjectVersion", OVERRIDE));
        Outcome outcome = outcome(body);
        Optional<String> behalf = body.text("onBehalfOf", NAME);
        if (behalf.isPresent()) {
            mayManage(call, "onBehalfOf");
        }
        return ask(
                call,
                new HumanCommand.Decide(
                        Answers.activation(call),
                        outcome,
                        call.caller().roles(),
                        behalf,
                        body.prose("rationale", PROSE),
                        body.count("subjectVersion"),
                        override(call, body)));
    }

    private Reply delegate(Call call) throws ProblemException, JournalException {
        Fields body = call.fields().only(Set.of("from", "to", REASON, OVERRIDE));
        Party to = body.meaning("to", PARTY, Party::parse).orElseThrow(() -> body.missing("to"));
        Optional<Party> from = body.meaning("from", PARTY, Party::parse);
        if (from.isEmpty() && !call.caller().principal().kind().equals("user")) {
            throw body.missing("from");
        }
        return ask(
                call,
                new HumanCommand.Delegate(
                        Answers.activation(call),
                        from.orElseGet(
                                () -> Party.user(call.caller().principal().id())),
                        to,
                        call.caller().roles(),
                        override(call, body),
                        body.requiredProse(REASON, PROSE)));
    }

    private Reply reassign(Call call) throws ProblemException, JournalException {
        Fields body = call.fields().only(Set.of("from", "to", REASON));
        List<Party> to = body.meanings("to", MOST_PARTIES, PARTY, Party::parse).orElseThrow(() -> body.missing("to"));
        Optional<Party> from = body.meaning("from", PARTY, Party::parse);
        return ask(
                call, new HumanCommand.Reassign(Answers.activation(call), from, to, body.requiredProse(REASON, PROSE)));
    }

    private Reply resolve(Call call) throws ProblemException, JournalException {
        Fields body = call.fields().only(Set.of("outcome", REASON));
        return ask(
                call,
                new HumanCommand.Resolve(Answers.activation(call), outcome(body), body.requiredProse(REASON, PROSE)));
    }

    private Reply attest(Call call) throws ProblemException, JournalException {
        Fields body = call.fields().only(Set.of("statement"));
        return calls.ask(
                call, new HumanCommand.Attest(call.variable("attestation"), body.requiredProse("statement", PROSE)));
    }

    /** Tells beside what every call tells whether the task is over now, and how. */
    private Reply ask(Call call, HumanCommand command) throws ProblemException, JournalException {
        ActivationId activation = Answers.activation(call);
        RunCalls.Done done = calls.ask(call, Answers.execution(call), (Command) command, List.of());
        Optional<Outcome> outcome = done.events().stream()
                .filter(event -> event instanceof HumanTaskSettled settled
                        && settled.activation().equals(activation))
                .map(event -> ((HumanTaskSettled) event).outcome())
                .findFirst();
        return RunCalls.reply(
                done,
                JsonObject.builder()
                        .put("activation", activation.toString())
                        .put("settled", JsonBoolean.of(outcome.isPresent()))
                        .put(
                                "outcome",
                                outcome.<JsonValue>map(it -> new JsonString(it.name()))
                                        .orElse(JsonNull.NULL)));
    }

    private static Outcome outcome(Fields body) throws ProblemException {
        return new Outcome(body.requiredText("outcome", NAME));
    }

    private static Duration lease(Fields body) throws ProblemException {
        return Duration.ofSeconds(body.number(LEASE_SECONDS, 1, LONGEST_LEASE).orElse(LEASE));
    }

    private static boolean override(Call call, Fields body) throws ProblemException {
        boolean override = body.flag(OVERRIDE, false);
        if (override) {
            mayManage(call, OVERRIDE);
        }
        return override;
    }

    private static void mayManage(Call call, String member) throws ProblemException {
        if (!call.caller().scopes().contains(Scope.TASKS_MANAGE)) {
            throw Problem.of(ProblemCode.FORBIDDEN, "'" + member + "' takes the scope " + Scope.TASKS_MANAGE)
                    .exception();
        }
    }
}
