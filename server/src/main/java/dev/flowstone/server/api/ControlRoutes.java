package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.StoredPayload;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.decision.Control;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.payload.Carried;
import dev.flowstone.kernel.read.DeclaredHold;
import dev.flowstone.server.api.doc.ControlDocs;
import dev.flowstone.server.definition.Programs;
import dev.flowstone.server.execution.States;
import dev.flowstone.server.http.BodyRule;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.Cut;
import dev.flowstone.server.http.Doc;
import dev.flowstone.server.http.Fields;
import dev.flowstone.server.http.Handler;
import dev.flowstone.server.http.Problem;
import dev.flowstone.server.http.ProblemCode;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.server.http.Reply;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Scope;
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** What operators do to an execution (kernel rules R22–R25). */
final class ControlRoutes {
    private static final String ONE = ExecutionJson.ROOT + "/{id}/";
    static final String LIFE = "timeToLiveSeconds";
    private static final String REASON = "reason";

    /** Of a cancel that gives none (dataflow.md §13.3 has no body). */
    static final String NO_REASON = "canceled without a reason";

    private static final int NAME = 200;
    private static final int PROSE = 4_000;
    private static final int YEAR = 366 * 24 * 3_600;
    private static final int HOUR = 3_600;
    private static final int INLINE_BYTES = 32 << 10;
    private static final long MOST_BYTES = 16 << 20;

    private final RunCalls calls;
    private final States states;
    private final Programs programs;

    ControlRoutes(RunCalls calls, States states, Programs programs) {
        this.calls = requireNonNull(calls);
        this.programs = requireNonNull(programs);
        this.states = requireNonNull(states);
    }

    List<Route> routes() {
        return List.of(
                route("suspend", ControlDocs.SUSPEND, BodyRule.REQUIRED, this::suspend),
                route("resume", ControlDocs.RESUME, BodyRule.REQUIRED, this::resume),
                route("drain", ControlDocs.DRAIN, BodyRule.REQUIRED, this::drain),
                route("cancel", ControlDocs.CANCEL, BodyRule.OPTIONAL, this::cancel),
                route("terminate", ControlDocs.TERMINATE, BodyRule.REQUIRED, this::terminate),
                route("rollback", ControlDocs.ROLL_BACK, BodyRule.REQUIRED, this::rollBack),
                route("timers/{timer}/fire", ControlDocs.FIRE_TIMER, BodyRule.NONE, this::fire),
                route("incidents/{incident}/retry", ControlDocs.RETRY_INCIDENT, BodyRule.OPTIONAL, this::retry),
                route("incidents/{incident}/skip", ControlDocs.SKIP_INCIDENT, BodyRule.OPTIONAL, this::skip),
                route("incidents/{incident}/fail", ControlDocs.FAIL_INCIDENT, BodyRule.REQUIRED, this::fail));
    }

    private static Route route(String path, Doc doc, BodyRule body, Handler handler) {
        return Route.post(ONE + path, Scope.EXECUTIONS_CONTROL, doc, body, handler);
    }

    private Reply suspend(Call call) throws ProblemException, JournalException {
        Fields body = call.fields().only(Set.of(REASON, "timers", "input"));
        return calls.ask(call, new ControlCommand.SuspendRun(policy(call, body), reason(body), "run"));
    }

    private Reply resume(Call call) throws ProblemException, JournalException {
        Fields body = call.fields().only(Set.of(REASON, "dryRun"));
        if (body.flag("dryRun", false)) {
            return previewed(calls.row(call));
        }
        return calls.ask(call, new ControlCommand.ResumeRun(reason(body)));
    }

    /** What a resume would set going, as of the row's last event; nothing is done. */
    private Reply previewed(RunRow row) throws JournalException {
        Control.ResumePreview preview = Control.previewResume(states.of(row));
        JsonObject.Builder inputs = JsonObject.builder();
        new TreeMap<>(preview.inputs()).forEach(inputs::put);
        JsonObject json = JsonObject.builder()
                .put("executionId", row.key().run().toString())
                .put("lastSeq", row.lastSequence())
                .put("inputs", inputs.build())
                .put("timers", preview.timers())
                .put("released", preview.released())
                .build();
        return Reply.json(200, json).header(Reply.LAST_SEQ, Long.toString(row.lastSequence()));
    }

    private Reply drain(Call call) throws ProblemException, JournalException {
        Fields body = call.fields().only(Set.of(REASON, "timers", "input", LIFE));
        return calls.ask(call, new ControlCommand.DrainRun(policy(call, body), life(body), reason(body), "run"));
    }

    private Reply cancel(Call call) throws ProblemException, JournalException {
        Fields body = call.fields().only(Set.of(REASON, "undo"));
        ControlCommand.Undo undo = body.flag("undo", true) ? ControlCommand.Undo.RUN : ControlCommand.Undo.SKIP;
        String reason = body.prose(REASON, PROSE).orElse(NO_REASON);
        return calls.ask(call, new ControlCommand.CancelRun(reason, undo, Optional.empty()));
    }

    private Reply terminate(Call call) throws ProblemException, JournalException {
        return calls.ask(
                call, new ControlCommand.TerminateRun(reason(call.fields().only(Set.of(REASON)))));
    }

    private Reply rollBack(Call call) throws ProblemException, JournalException {
        Fields body = call.fields().only(Set.of("nodeId", REASON));
        NodeId mark = body.meaning("nodeId", NAME, NodeId::new).orElseThrow(() -> body.missing("nodeId"));
        return calls.ask(call, new ControlCommand.RollBack(mark, reason(body)));
    }

    private Reply fire(Call call) throws ProblemException, JournalException {
        TimerId timer;
        try {
            timer = new TimerId(call.variable("timer"));
        } catch (IllegalArgumentException e) {
            throw nothing("timer", call.variable("timer"));
        }
        return calls.ask(call, new ControlCommand.ForceFireTimer(timer));
    }

    private Reply retry(Call call) throws ProblemException, JournalException {
        Optional<JsonValue> input = call.fields().only(Set.of("input")).value("input");
        if (input.isEmpty()) {
            return calls.ask(call, new ControlCommand.RetryIncident(incident(call), Optional.empty()));
        }
        Carried carried = carried(input.get());
        return ask(call, new ControlCommand.RetryIncident(incident(call), Optional.of(carried.payload())), carried);
    }

    private Reply skip(Call call) throws ProblemException, JournalException {
        Carried output =
                carried(call.fields().only(Set.of("output")).value("output").orElse(JsonObject.EMPTY));
        return ask(call, new ControlCommand.SkipIncident(incident(call), output.payload()), output);
    }

    private Reply fail(Call call) throws ProblemException, JournalException {
        Fields body = call.fields().only(Set.of("code", "message"));
        TaskError error = TaskError.of(body.requiredText("code", NAME), body.requiredProse("message", PROSE));
        return calls.ask(call, new ControlCommand.FailIncident(incident(call), error));
    }

    private Reply ask(Call call, ControlCommand command, Carried carried) throws ProblemException, JournalException {
        List<StoredPayload> payloads =
                carried.content().map(StoredPayload::of).map(List::of).orElse(List.of());
        return RunCalls.reply(calls.ask(call, Answers.execution(call), command, payloads), JsonObject.builder());
    }

    private static Carried carried(JsonValue value) throws ProblemException {
        try {
            return Carried.of(value, INLINE_BYTES, MOST_BYTES);
        } catch (Carried.TooLargeException e) {
            throw Problem.of(ProblemCode.LIMIT_EXCEEDED, String.valueOf(e.getMessage()))
                    .exception();
        }
    }

    /** An incident is named by the number of the event that raised it. */
    private static long incident(Call call) throws ProblemException {
        String text = call.variable("incident");
        if (!text.matches("[1-9][0-9]{0,17}")) {
            throw nothing("incident", text);
        }
        return Long.parseLong(text);
    }

    private static ProblemException nothing(String what, String name) {
        return Problem.of(ProblemCode.NOT_FOUND, "no " + what + " is called '" + Cut.text(name) + "'")
                .exception();
    }

    /** How long a drain may take. */
    static Duration life(Fields body) throws ProblemException {
        return Duration.ofSeconds(body.number(LIFE, 1, YEAR).orElse(HOUR));
    }

    static String reason(Fields body) throws ProblemException {
        return body.requiredProse(REASON, PROSE);
    }

    /** What isn't said is what everybody gets who declares nothing: a scope has many programs. */
    static HoldPolicy policy(Fields body) throws ProblemException {
        return new HoldPolicy(
                body.meaning("timers", NAME, text -> word(HoldPolicy.TimerRule.class, text))
                        .orElse(HoldPolicy.DEFAULT.timers()),
                body.meaning("input", NAME, text -> word(HoldPolicy.InputRule.class, text))
                        .orElse(HoldPolicy.DEFAULT.input()));
    }

    /** What isn't said is what the program declares that the execution follows now. */
    private HoldPolicy policy(Call call, Fields body) throws ProblemException, JournalException {
        Optional<HoldPolicy.TimerRule> timers =
                body.meaning("timers", NAME, text -> word(HoldPolicy.TimerRule.class, text));
        Optional<HoldPolicy.InputRule> input =
                body.meaning("input", NAME, text -> word(HoldPolicy.InputRule.class, text));
        if (timers.isPresent() && input.isPresent()) {
            return new HoldPolicy(timers.get(), input.get());
        }
        HoldPolicy declared = DeclaredHold.of(
                programs.program(call.tenant(), calls.row(call).program()).program());
        return new HoldPolicy(timers.orElse(declared.timers()), input.orElse(declared.input()));
    }

    private static <E extends Enum<E>> E word(Class<E> type, String text) {
        for (E value : type.getEnumConstants()) {
            if (value.name().toLowerCase(Locale.ROOT).equals(text)) {
                return value;
            }
        }
        throw new IllegalArgumentException("it is one of "
                + String.join(
                        ", ",
                        java.util.Arrays.stream(type.getEnumConstants())
                                .map(value -> value.name().toLowerCase(Locale.ROOT))
                                .toList()));
    }
}
