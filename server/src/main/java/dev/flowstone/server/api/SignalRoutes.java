package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.StoredPayload;
import dev.flowstone.kernel.aggregate.Aggregates;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.decision.SignalAnswer;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.payload.Carried;
import dev.flowstone.server.api.doc.TaskDocs;
import dev.flowstone.server.http.BodyRule;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.Fields;
import dev.flowstone.server.http.Problem;
import dev.flowstone.server.http.ProblemCode;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.server.http.Reply;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Scope;
import dev.flowstone.server.http.Waits;
import dev.flowstone.server.trigger.SignalSender;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** Signals from outside (kernel rule R20): to whoever waits for this type and key, now or within their time to live. */
final class SignalRoutes {
    private static final Set<String> MEMBERS =
            Set.of("type", "key", "payload", "dedupe", "broadcast", "timeToLiveSeconds");
    private static final int NAME = 200;
    private static final int KEY = 500;
    private static final int YEAR = 366 * 24 * 3_600;
    private static final int WEEK = 7 * 24 * 3_600;

    private final RunCalls calls;

    SignalRoutes(RunCalls calls) {
        this.calls = requireNonNull(calls);
    }

    List<Route> routes() {
        return List.of(
                Route.post("/api/v1/signals", Scope.SIGNALS_WRITE, TaskDocs.SIGNAL, BodyRule.REQUIRED, this::send)
                        .waiting(Waits.CALL));
    }

    private Reply send(Call call) throws ProblemException, JournalException {
        Fields body = call.fields().only(MEMBERS);
        String type = body.requiredText("type", NAME);
        String key = body.requiredText("key", KEY);
        boolean broadcast = body.flag("broadcast", false);
        Carried payload = payload(body);
        Duration life =
                Duration.ofSeconds(body.number("timeToLiveSeconds", 0, YEAR).orElse(WEEK));
        RunId channel = Aggregates.channel(call.tenant(), type, key);
        RunCalls.Done done = calls.ask(
                call,
                channel,
                new Command.SendSignal(
                        call.tenant(),
                        channel,
                        type,
                        key,
                        payload.payload(),
                        body.text("dedupe", NAME),
                        broadcast,
                        life),
                payload.content().map(StoredPayload::of).map(List::of).orElse(List.of()));
        return Reply.json(
                202,
                JsonObject.builder()
                        .put("type", type)
                        .put("key", key)
                        .put("broadcast", broadcast)
                        .put("fate", fate(done, life))
                        .build());
    }

    private static Carried payload(Fields body) throws ProblemException {
        try {
            return Carried.of(
                    body.value("payload").orElse(JsonNull.NULL), SignalSender.INLINE_BYTES, SignalSender.MOST_BYTES);
        } catch (Carried.TooLargeException e) {
            throw Problem.of(ProblemCode.LIMIT_EXCEEDED, "the payload is " + e.getMessage())
                    .exception();
        }
    }

    private static String fate(RunCalls.Done done, Duration life) {
        if (done.repeated()) {
            return "repeated";
        }
        return switch (SignalAnswer.of(done.events())) {
            case SignalAnswer.DELIVERED -> "delivered";
            // Without a life it is dropped in the same decision.
            case SignalAnswer.KEPT -> life.isZero() ? "unheard" : "kept";
            case SignalAnswer.UNHEARD -> "unheard";
            case SignalAnswer.DUPLICATE -> "duplicate";
        };
    }
}
