package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.ownership.Member;
import dev.flowstone.engine.read.RunFilter;
import dev.flowstone.engine.read.RunReader;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.state.RunStatus;
import dev.flowstone.server.api.doc.ControlDocs;
import dev.flowstone.server.api.doc.WorkflowDocs;
import dev.flowstone.server.execution.States;
import dev.flowstone.server.http.Body;
import dev.flowstone.server.http.BodyRule;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.Fields;
import dev.flowstone.server.http.Page;
import dev.flowstone.server.http.ProblemCode;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.server.http.Reply;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Scope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/**
 * Moves executions to another version of their workflow (kernel rule R26): one, or those of a workflow a page at a time. A
 * batch may be repeated from anywhere: what is at the target already is skipped.
 */
final class MigrationRoutes {
    private static final Set<RunStatus> LIVE = Arrays.stream(RunStatus.values())
            .filter(status -> !status.isFinal())
            .collect(Collectors.toUnmodifiableSet());

    private static final String DRY_RUN = "dryRun";
    private static final Set<String> BATCH =
            Set.of("version", "nodes", DRY_RUN, "fromVersion", Page.LIMIT, Page.AFTER, Page.CURSOR);
    private static final int DEFAULT_PAGE = 50;
    private static final int ID = 64;
    private static final Duration PATIENCE = Duration.ofSeconds(40);

    private final MigrationTargets targets;
    private final RunReader runs;
    private final States states;
    private final RunCalls calls;
    private final Elsewhere elsewhere;

    MigrationRoutes(MigrationTargets targets, RunReader runs, States states, RunCalls calls, Elsewhere elsewhere) {
        this.targets = requireNonNull(targets);
        this.runs = requireNonNull(runs);
        this.states = requireNonNull(states);
        this.calls = requireNonNull(calls);
        this.elsewhere = requireNonNull(elsewhere);
    }

    List<Route> routes() {
        return List.of(
                Route.post(
                        ExecutionJson.ROOT + "/{id}/migrate",
                        Scope.EXECUTIONS_CONTROL,
                        ControlDocs.MIGRATE,
                        BodyRule.REQUIRED,
                        this::one),
                Route.post(
                        "/api/v1/workflows/{id}/migrate",
                        Scope.EXECUTIONS_CONTROL,
                        WorkflowDocs.MIGRATE,
                        BodyRule.REQUIRED,
                        this::batch));
    }

    private Reply one(Call call) throws ProblemException, JournalException {
        Fields body = call.fields().only(Set.of("version", "nodes", DRY_RUN));
        RunRow row = calls.row(call);
        MigrationTarget target = targets.of(call.tenant(), row.workflow(), body);
        if (body.flag(DRY_RUN, false)) {
            MigrationOutlook outlook = MigrationOutlook.of(row, states, target);
            return Reply.json(200, outlook.toJson()).header(Reply.LAST_SEQ, Long.toString(row.lastSequence()));
        }
        RunCalls.Done done = calls.ask(call, row.key().run(), target.command(), List.of());
        return RunCalls.reply(done, JsonObject.builder().put("toVersion", target.version()));
    }

    private Reply batch(Call call) throws ProblemException, JournalException {
        Fields body = call.fields().only(BATCH);
        WorkflowId workflow = Answers.workflow(call);
        MigrationTarget target = targets.of(call.tenant(), workflow, body);
        Optional<Integer> from = body.number("fromVersion", 0, Integer.MAX_VALUE);
        int limit = body.number(Page.LIMIT, 1, Page.MOST).orElse(DEFAULT_PAGE);
        Optional<RunId> before = before(body);
        boolean dryRun = body.flag(DRY_RUN, false);
        List<RunRow> page = runs.runs(call.tenant(), new RunFilter(Optional.of(workflow), LIVE), before, limit + 1);
        Batch batch = new Batch();
        for (RunRow row : page.subList(0, Math.min(limit, page.size()))) {
            if (from.isEmpty() || from.get() == row.version()) {
                batch.add(row, dryRun ? look(row, target) : move(call, row, target));
            }
        }
        Optional<RunId> next =
                page.size() > limit ? Optional.of(page.get(limit - 1).key().run()) : Optional.empty();
        return Reply.json(200, batch.toJson(target, dryRun, next));
    }

    /** Where the page before ended, under either word. */
    private static Optional<RunId> before(Fields body) throws ProblemException {
        Optional<RunId> after = body.meaning(Page.AFTER, ID, RunId::parse);
        Optional<RunId> cursor = body.meaning(Page.CURSOR, ID, RunId::parse);
        if (after.isPresent() && cursor.isPresent()) {
            throw body.wrong(Page.AFTER, "'after' and 'cursor' mean the same", "send one of them");
        }
        return after.or(() -> cursor);
    }

    private Fate look(RunRow row, MigrationTarget target) throws JournalException {
        MigrationOutlook outlook = MigrationOutlook.of(row, states, target);
        if (outlook.alreadyThere()) {
            return Fate.SKIPPED;
        }
        return outlook.isPossible()
                ? Fate.POSSIBLE
                : new Fate("refused", ProblemCode.WFENG002.name(), outlook.obstacles());
    }

    /** What one execution can't do stops no other. */
    private Fate move(Call call, RunRow row, MigrationTarget target) throws JournalException {
        if (row.program().equals(target.hash())) {
            return Fate.SKIPPED;
        }
        try {
            RunCalls.Done _ = calls.ask(call, row.key().run(), target.command(), List.of());
            return Fate.MOVED;
        } catch (ProblemException e) {
            Optional<Fate> there = e.problem().owner().flatMap(owner -> moveThere(call, owner, row, target));
            return there.orElseGet(() -> new Fate(
                    "refused", e.problem().code().name(), List.of(e.problem().detail())));
        }
    }

    /** Its node moves it, by the route for one. */
    private Optional<Fate> moveThere(Call call, Member owner, RunRow row, MigrationTarget target) {
        JsonObject body = JsonObject.builder()
                .put("version", target.version())
                .putValueIfPresent("nodes", call.body().flatMap(MigrationRoutes::nodes))
                .build();
        String path = ExecutionJson.ROOT + "/" + row.key().run() + "/migrate";
        return elsewhere.post(call, owner, path, body, PATIENCE).map(reply -> fate(owner, reply));
    }

    private static Optional<JsonValue> nodes(Body body) {
        try {
            return body.object().value("nodes");
        } catch (ProblemException e) {
            throw new IllegalStateException("a body was read and can't be", e);
        }
    }

    private static Fate fate(Member owner, Reply reply) {
        if (reply.status() < 300) {
            return Fate.MOVED;
        }
        JsonObject problem = Elsewhere.object(owner, reply);
        return new Fate("refused", text(problem, "code"), List.of(text(problem, "detail")));
    }

    private static String text(JsonObject problem, String member) {
        return problem.get(member) instanceof JsonString(String text) ? text : "";
    }

    /** What became of one execution. */
    private record Fate(String outcome, String code, List<String> reasons) {
        private static final Fate MOVED = new Fate("moved", "", List.of());
        private static final Fate POSSIBLE = new Fate("possible", "", List.of());
        private static final Fate SKIPPED = new Fate("skipped", "", List.of());
    }

    /** Collects what became of a page. */
    private static final class Batch {
        private final List<JsonValue> items = new ArrayList<>();
        private final List<String> outcomes = new ArrayList<>();

        void add(RunRow row, Fate fate) {
            outcomes.add(fate.outcome());
            JsonObject.Builder item = JsonObject.builder()
                    .put("executionId", row.key().run().toString())
                    .put("fromVersion", row.version())
                    .put("outcome", fate.outcome());
            if (!fate.reasons().isEmpty()) {
                item.put("code", fate.code())
                        .put(
                                "reasons",
                                new JsonArray(fate.reasons().stream()
                                        .<JsonValue>map(JsonString::new)
                                        .toList()));
            }
            items.add(item.build());
        }

        private long count(String outcome) {
            return outcomes.stream().filter(outcome::equals).count();
        }

        JsonObject toJson(MigrationTarget target, boolean dryRun, Optional<RunId> next) {
            return JsonObject.builder()
                    .put("toVersion", target.version())
                    .put(DRY_RUN, dryRun)
                    .put("items", new JsonArray(items))
                    .put(dryRun ? "possible" : "moved", count(dryRun ? "possible" : "moved"))
                    .put("skipped", count("skipped"))
                    .put("refused", count("refused"))
                    .put(
                            "next",
                            next.<JsonValue>map(id -> new JsonString(id.toString()))
                                    .orElse(JsonNull.NULL))
                    .build();
        }
    }
}
