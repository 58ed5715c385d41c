package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.task.RemoteBeat;
import dev.flowstone.engine.task.RemoteClaim;
import dev.flowstone.engine.task.RemoteClaiming;
import dev.flowstone.engine.task.RemoteName;
import dev.flowstone.engine.task.RemoteTask;
import dev.flowstone.engine.task.RemoteTasks;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.api.doc.WorkerDocs;
import dev.flowstone.server.http.BodyRule;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.Cut;
import dev.flowstone.server.http.Fields;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.server.http.Reply;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Scope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.atomic.AtomicInteger;

/**
 * How workers in other processes get attempts, say that they are still at it, and give back what they don't begin: many at
 * once. None of it writes to the database. How attempts end is told to {@link TaskBatchRoute}.
 */
final class RemoteTaskRoutes {
    static final String ROOT = "/api/v1/tasks/";
    static final int MOST = 500;
    static final String TASKS = "tasks";

    static final String LEASE_NAME = "lease";
    static final int NAME = 200;

    private static final int ACTIONS = 100;
    private static final int LONGEST_LEASE = 3_600;
    private static final int LONGEST_WAIT = 60;
    private static final int LEASE = 30;

    /** Every so many claims begin with other nodes' tasks, whose workers may all be here. */
    private static final int ELSEWHERE_FIRST = 4;

    /** A claim at another node, which waits here. */
    private static final Map<String, JsonValue> AT_ONCE = Map.of("waitSeconds", JsonNumber.of(0));

    /** For which a claim waits here before it looks at other nodes again. */
    private static final Duration LOOK = Duration.ofSeconds(1);

    private final RemoteTasks tasks;
    private final Elsewhere elsewhere;
    private final AtomicInteger claims = new AtomicInteger();

    RemoteTaskRoutes(RemoteTasks tasks, Elsewhere elsewhere) {
        this.tasks = requireNonNull(tasks);
        this.elsewhere = requireNonNull(elsewhere);
    }

    List<Route> routes() {
        return List.of(
                Route.post(ROOT + "claim", Scope.TASKS_WORK, WorkerDocs.CLAIM_WORK, BodyRule.REQUIRED, this::claim),
                Route.post(
                        ROOT + "heartbeat", Scope.TASKS_WORK, WorkerDocs.HEARTBEAT, BodyRule.REQUIRED, this::heartbeat),
                Route.post(ROOT + "return", Scope.TASKS_WORK, WorkerDocs.RETURN, BodyRule.REQUIRED, this::giveBack),
                Route.post(ROOT + "leave", Scope.TASKS_WORK, WorkerDocs.LEAVE, BodyRule.REQUIRED, this::leave));
    }

    private Reply claim(Call call) throws ProblemException {
        Fields body = call.fields().only(Set.of("worker", "actions", "max", "leaseSeconds", "waitSeconds"));
        List<HandlerName> actions = new ArrayList<>(new LinkedHashSet<>(
                body.meanings("actions", ACTIONS, NAME, this::action).orElseThrow(() -> body.missing("actions"))));
        RemoteClaim claim = new RemoteClaim(
                call.tenant(),
                body.requiredText("worker", NAME),
                actions,
                body.number("max", 1, MOST).orElse(1),
                lease(body));
        Duration wait =
                Duration.ofSeconds(body.number("waitSeconds", 0, LONGEST_WAIT).orElse(0));
        List<JsonValue> handed;
        try {
            handed = elsewhere.isEmpty() ? here(claim, wait) : anywhere(call, claim, wait);
        } catch (InterruptedException e) {
            // The server stops; nothing was taken.
            Thread.currentThread().interrupt();
            handed = List.of();
        }
        return Reply.json(
                200, JsonObject.builder().put(TASKS, new JsonArray(handed)).build());
    }

    private List<JsonValue> here(RemoteClaim claim, Duration wait) throws InterruptedException {
        return tasks.claim(claim, wait).stream().map(RemoteTaskRoutes::json).toList();
    }

    /** Those of this node, or of the next that has any; looked for again until there are some, or the wait is over. */
    private List<JsonValue> anywhere(Call call, RemoteClaim claim, Duration wait) throws InterruptedException {
        boolean othersFirst = Math.floorMod(claims.getAndIncrement(), ELSEWHERE_FIRST) == ELSEWHERE_FIRST - 1;
        List<JsonValue> others = othersFirst ? elsewhere.first(call, AT_ONCE) : List.of();
        if (!others.isEmpty()) {
            return others;
        }
        if (wait.isZero()) {
            List<JsonValue> own = here(claim, wait);
            return own.isEmpty() ? elsewhere.first(call, AT_ONCE) : own;
        }
        return waited(call, tasks.begin(claim), System.nanoTime() + wait.toNanos());
    }

    /** It waits here all the time, so that it ends when its worker leaves or the server stops, also while others are asked. */
    private List<JsonValue> waited(Call call, RemoteClaiming claiming, long end) throws InterruptedException {
        Duration left = Duration.ofNanos(end - System.nanoTime());
        try {
            while (!claiming.isOver() && left.isPositive()) {
                List<JsonValue> others = elsewhere.first(call, AT_ONCE);
                if (!others.isEmpty()) {
                    // What has come here meanwhile is another's.
                    claiming.giveUp();
                    return others;
                }
                claiming.await(left.compareTo(LOOK) < 0 ? left : LOOK);
                left = Duration.ofNanos(end - System.nanoTime());
            }
        } catch (InterruptedException e) {
            claiming.giveUp();
            throw e;
        }
        return claiming.end().stream().map(RemoteTaskRoutes::json).toList();
    }

    private HandlerName action(String text) {
        HandlerName action = new HandlerName(text);
        if (!tasks.isRemote(action)) {
            throw new IllegalArgumentException(
                    "'" + Cut.text(text) + "' is no action of workers; the server's setting worker.actions names them");
        }
        return action;
    }

    private static Duration lease(Fields body) throws ProblemException {
        return Duration.ofSeconds(body.number("leaseSeconds", 1, LONGEST_LEASE).orElse(LEASE));
    }

    private static JsonValue json(RemoteTask task) {
        return JsonObject.builder()
                .put("executionId", task.call().run().toString())
                .put("workflowId", task.call().workflow().value())
                .put("activation", task.call().activation().toString())
                .put("attempt", task.call().attempt())
                .put("action", task.call().handler().value())
                .put("input", task.call().input())
                .put("key", task.call().key().toString())
                .put("correlation", task.call().correlation())
                .put("timeoutMillis", millis(task.call().timeout()))
                .put(LEASE_NAME, task.lease())
                .put("leaseUntil", task.until().toString())
                .build();
    }

    private static long millis(Duration time) {
        return time.compareTo(Duration.ofDays(365_000)) > 0
                ? Duration.ofDays(365_000).toMillis()
                : time.toMillis();
    }

    private Reply heartbeat(Call call) throws ProblemException {
        Fields body = call.fields().only(Set.of("leaseSeconds", TASKS));
        Duration lease = lease(body);
        List<JsonValue> beats = elsewhere.each(
                call, held(body), Elsewhere.SOON, json(new RemoteBeat.Unknown()), all -> beats(call, all, lease));
        return Reply.json(
                200, JsonObject.builder().put(TASKS, new JsonArray(beats)).build());
    }

    private List<JsonValue> beats(Call call, List<Fields> all, Duration lease) throws ProblemException {
        List<JsonValue> beats = new ArrayList<>();
        for (Fields each : all) {
            beats.add(json(tasks.heartbeat(name(call, each), each.requiredText(LEASE_NAME, NAME), lease)));
        }
        return beats;
    }

    private static JsonValue json(RemoteBeat beat) {
        return switch (beat) {
            case RemoteBeat.Held(String lease, boolean canceled) ->
                JsonObject.builder()
                        .put("state", canceled ? "canceled" : "held")
                        .put(LEASE_NAME, lease)
                        .build();
            case RemoteBeat.Gone() -> JsonObject.builder().put("state", "gone").build();
            case RemoteBeat.Unknown() ->
                JsonObject.builder().put("state", "unknown").build();
        };
    }

    private Reply giveBack(Call call) throws ProblemException {
        Fields body = call.fields().only(Set.of(TASKS));
        List<JsonValue> told =
                elsewhere.each(call, held(body), Elsewhere.SOON, givenBack(false), all -> givenBack(call, all));
        return Reply.json(
                200, JsonObject.builder().put(TASKS, new JsonArray(told)).build());
    }

    private List<JsonValue> givenBack(Call call, List<Fields> all) throws ProblemException {
        List<JsonValue> told = new ArrayList<>();
        for (Fields each : all) {
            told.add(givenBack(tasks.giveBack(name(call, each), each.requiredText(LEASE_NAME, NAME))));
        }
        return told;
    }

    private static JsonValue givenBack(boolean returned) {
        return JsonObject.builder().put("state", returned ? "returned" : "gone").build();
    }

    private Reply leave(Call call) throws ProblemException {
        Fields body = call.fields().only(Set.of("worker"));
        tasks.leave(call.tenant(), body.requiredText("worker", NAME));
        return Reply.nothing();
    }

    private static List<Fields> held(Fields body) throws ProblemException {
        List<Fields> all = body.objects(TASKS, MOST).orElseThrow(() -> body.missing(TASKS));
        for (Fields each : all) {
            each.only(Set.of("executionId", "activation", WorkerRoutes.ATTEMPT, LEASE_NAME));
        }
        return all;
    }

    private static RemoteName name(Call call, Fields task) throws ProblemException {
        return new RemoteName(
                new RunKey(call.tenant(), Answers.execution(task)),
                Answers.activation(task),
                WorkerRoutes.attempt(task));
    }
}
