package dev.flowstone.server.api;

import static java.nio.charset.StandardCharsets.UTF_8;
import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.engine.trigger.Arrival;
import dev.flowstone.engine.trigger.Trigger;
import dev.flowstone.engine.trigger.TriggerDeliveries.Delivery;
import dev.flowstone.engine.trigger.TriggerId;
import dev.flowstone.engine.trigger.TriggerKey;
import dev.flowstone.engine.trigger.TriggerKind;
import dev.flowstone.engine.trigger.Triggers;
import dev.flowstone.engine.trigger.Triggers.Change;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.api.doc.TriggerDocs;
import dev.flowstone.server.http.Body;
import dev.flowstone.server.http.BodyRule;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.Cut;
import dev.flowstone.server.http.Fields;
import dev.flowstone.server.http.Page;
import dev.flowstone.server.http.Problem;
import dev.flowstone.server.http.ProblemCode;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.server.http.Query;
import dev.flowstone.server.http.Reply;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Scope;
import dev.flowstone.server.http.Waits;
import dev.flowstone.server.trigger.TriggerDesk;
import dev.flowstone.triggers.event.EventRules;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.UUID;

/** Triggers: what starts executions of a workflow, what came for them, and firing them by hand (dataflow.md §13.7). */
final class TriggerRoutes {
    static final String ROOT = "/api/v1/triggers";
    static final String ID = "id";
    static final String ONE = ROOT + "/{" + ID + "}";

    private static final String PAYLOAD = "trigger";

    private final TriggerDesk desk;
    private final Triggers triggers;
    private final TriggerStart start;
    private final Clock clock;
    private final TriggerJson json;

    TriggerRoutes(TriggerDesk desk, TriggerStart start, Clock clock) {
        this.desk = requireNonNull(desk);
        this.triggers = desk.triggers();
        this.start = requireNonNull(start);
        this.clock = requireNonNull(clock);
        this.json = new TriggerJson(desk.rules().basePath(), clock);
    }

    List<Route> routes() {
        return List.of(
                Route.get(ROOT, Scope.WORKFLOWS_READ, TriggerDocs.LIST, this::list),
                Route.post(ROOT, Scope.WORKFLOWS_MANAGE, TriggerDocs.CREATE, BodyRule.REQUIRED, this::create),
                Route.get(ONE, Scope.WORKFLOWS_READ, TriggerDocs.SHOW, this::show),
                Route.put(ONE, Scope.WORKFLOWS_MANAGE, TriggerDocs.UPDATE, BodyRule.REQUIRED, this::update),
                Route.delete(ONE, Scope.WORKFLOWS_MANAGE, TriggerDocs.REMOVE, this::remove),
                Route.post(
                        ONE + "/enable",
                        Scope.WORKFLOWS_MANAGE,
                        TriggerDocs.ENABLE,
                        BodyRule.NONE,
                        call -> enable(call, true)),
                Route.post(
                        ONE + "/disable",
                        Scope.WORKFLOWS_MANAGE,
                        TriggerDocs.DISABLE,
                        BodyRule.NONE,
                        call -> enable(call, false)),
                Route.post(ONE + "/fire", Scope.WORKFLOWS_EXECUTE, TriggerDocs.FIRE, BodyRule.OPTIONAL, this::fire)
                        .waiting(Waits.START),
                Route.get(ONE + "/deliveries", Scope.EXECUTIONS_READ, TriggerDocs.DELIVERIES, this::deliveries));
    }

    private Reply list(Call call) throws ProblemException, JournalException {
        int limit = Page.limit(call.query());
        Triggers.Filter filter = filter(call.query());
        List<Trigger> found =
                triggers.list(call.tenant(), filter, after(call.query()).map(TriggerId::new), limit + 1);
        List<JsonValue> items =
                found.stream().limit(limit).<JsonValue>map(json::trigger).toList();
        Optional<String> next = found.size() > limit
                ? Optional.of(Page.cursor(found.get(limit - 1).key().id().toString()))
                : Optional.empty();
        return Reply.json(200, new Page(items, next).toJson());
    }

    private static Triggers.Filter filter(Query query) throws ProblemException {
        Optional<Boolean> fires = query.text(TriggerForm.ENABLED).isPresent()
                ? Optional.of(query.flag(TriggerForm.ENABLED, true))
                : Optional.empty();
        return new Triggers.Filter(
                query.meaning(TriggerForm.WORKFLOW, WorkflowId::new),
                query.text(TriggerForm.TYPE).flatMap(TriggerKind::of),
                fires);
    }

    /** The id that a cursor stands for. */
    private static Optional<UUID> after(Query query) throws ProblemException {
        Optional<String> key = Page.key(query, Page.AFTER);
        try {
            return key.map(TriggerId::parse).map(TriggerId::value);
        } catch (IllegalArgumentException e) {
            throw Page.badCursor(Page.AFTER);
        }
    }

    private Reply create(Call call) throws ProblemException, JournalException {
        Fields body = call.requiredBody().object();
        TriggerForm form = TriggerForm.fresh(body, desk.activation());
        Optional<Triggers.Request> request = call.idempotencyKey()
                .map(key -> new Triggers.Request(
                        Sha256.digest(key.getBytes(UTF_8)), Sha256.digest(CanonicalJson.exact(body.json()))));
        // Nobody can tell it from the key that made it: an address says nothing of who is a tenant here.
        TriggerKey key = new TriggerKey(call.tenant(), TriggerId.random());
        Change change = triggers.create(
                key,
                form.workflow(),
                form.kind(),
                form.enabled().orElse(true),
                form.wish(),
                request,
                call.caller().principal());
        Reply reply = done(body, form, key, change);
        return change instanceof Change.Made made
                ? reply.header("Location", ROOT + "/" + made.trigger().key().id())
                : reply;
    }

    private Reply show(Call call) throws ProblemException, JournalException {
        return told(200, found(call));
    }

    /** What the body leaves out stays as it is when it is written: who is overtaken reads it again. */
    private Reply update(Call call) throws ProblemException, JournalException {
        Fields body = call.requiredBody().object();
        OptionalLong expected = call.expectedRevision();
        while (true) {
            Trigger there = found(call);
            notDeclared(there);
            TriggerForm form = TriggerForm.of(body, there, desk.activation());
            OptionalLong read = expected.isPresent() ? expected : OptionalLong.of(there.revision());
            Change change = triggers.update(
                    there.key(),
                    form.enabled(),
                    form.wish(),
                    read,
                    call.caller().principal());
            if (!(change instanceof Change.OtherRevision) || expected.isPresent()) {
                return done(body, form, there.key(), change);
            }
        }
    }

    private Reply enable(Call call, boolean enabled) throws ProblemException, JournalException {
        TriggerKey key = key(call);
        OptionalLong expected = call.expectedRevision();
        return done(key, triggers.enable(key, enabled, expected, call.caller().principal()));
    }

    private Reply remove(Call call) throws ProblemException, JournalException {
        Trigger there = found(call);
        notDeclared(there);
        TriggerKey key = there.key();
        return done(key, triggers.remove(key, call.expectedRevision()));
    }

    private Reply fire(Call call) throws ProblemException, JournalException {
        Trigger trigger = found(call);
        Body body = call.body().orElseGet(() -> new Body(new byte[] {'{', '}'}));
        Fields fields = body.object().only(Set.of(PAYLOAD));
        JsonParser.Located document = body.value();
        String delivery =
                call.idempotencyKey().orElseGet(() -> UUID.randomUUID().toString());
        Arrival arrival = Arrival.byHand(trigger.key(), delivery, call.caller().principal(), clock.now());
        boolean _ = desk.claim(arrival);
        JsonValue payload = fields.value(PAYLOAD).orElse(JsonObject.EMPTY);
        return start.start(
                call,
                trigger,
                arrival,
                call.idempotencyKey().isPresent(),
                () -> new TriggerStart.Came(payload, document, "/" + PAYLOAD));
    }

    private Reply deliveries(Call call) throws ProblemException, JournalException {
        TriggerKey key = found(call).key();
        int limit = Page.limit(call.query());
        List<Delivery> found = triggers.deliveries().list(key, after(call.query()), limit + 1);
        List<JsonValue> items = found.stream()
                .limit(limit)
                .<JsonValue>map(TriggerJson::delivery)
                .toList();
        Optional<String> next = found.size() > limit
                ? Optional.of(Page.cursor(found.get(limit - 1).arrival().id().toString()))
                : Optional.empty();
        return Reply.json(200, new Page(items, next).toJson());
    }

    private Trigger found(Call call) throws ProblemException, JournalException {
        TriggerKey key = key(call);
        return triggers.find(key).orElseThrow(() -> unknown(key.id().toString()));
    }

    /** It can be turned on and off; all else is the definition's. */
    private static void notDeclared(Trigger trigger) throws ProblemException {
        if (trigger.config().find(EventRules.DECLARED).isPresent()) {
            throw Problem.of(
                            ProblemCode.TRIGGER_DECLARED,
                            "the definition of workflow '" + trigger.target().workflow()
                                    + "' declares trigger " + trigger.key().id()
                                    + "; publish it changed, or turn the trigger off: POST " + ROOT + "/"
                                    + trigger.key().id() + "/disable")
                    .exception();
        }
    }

    static TriggerKey key(Call call) throws ProblemException {
        try {
            return new TriggerKey(call.tenant(), TriggerId.parse(call.variable(ID)));
        } catch (IllegalArgumentException e) {
            throw unknown(call.variable(ID));
        }
    }

    static ProblemException unknown(String id) {
        return Problem.of(
                        ProblemCode.TRIGGER_NOT_FOUND,
                        "this tenant has no trigger " + Cut.text(id) + "; POST " + ROOT + " makes one")
                .exception();
    }

    private Reply done(Fields body, TriggerForm form, TriggerKey key, Change change) throws ProblemException {
        if (change instanceof Change.NoSuchSecret(int there)) {
            throw body.object(TriggerForm.CONFIG)
                    .orElse(body)
                    .wrong(
                            TriggerForm.SECRETS,
                            "'" + TriggerForm.SET + "' stands for a secret that is there, and there are " + there,
                            "send the secret itself");
        }
        if (change instanceof Change.NoWorkflow()) {
            throw Answers.unknown(form.workflow());
        }
        return done(key, change);
    }

    private Reply done(TriggerKey key, Change change) throws ProblemException {
        return switch (change) {
            case Change.Made(boolean created, Trigger trigger) -> told(created ? 201 : 200, trigger);
            case Change.Removed() -> Reply.nothing();
            case Change.Unknown() -> throw unknown(key.id().toString());
            case Change.TooMany() ->
                throw Problem.of(
                                ProblemCode.LIMIT_EXCEEDED,
                                "this tenant has " + Triggers.MOST
                                        + " triggers, and may have no more; remove one first")
                        .exception();
            case Change.OtherRevision(long revision) ->
                throw Problem.of(
                                ProblemCode.PRECONDITION_FAILED,
                                "trigger " + key.id() + " is at revision " + revision
                                        + ", not at that of If-Match; read it again, then decide again")
                        .exception();
            case Change.OtherRequest() ->
                throw Problem.of(
                                ProblemCode.IDEMPOTENCY_KEY_REUSED,
                                "another request made a trigger under this Idempotency-Key; choose another key")
                        .exception();
            case Change.Gone() ->
                throw Problem.of(
                                ProblemCode.IDEMPOTENCY_KEY_REUSED,
                                "the trigger that this request made was removed since; choose another key to make"
                                        + " another")
                        .exception();
            case Change.NoWorkflow(), Change.NoSuchSecret _ ->
                throw new IllegalStateException("a change that names neither was refused by " + change);
        };
    }

    /** The tag is for {@code If-Match} alone: what is shown changes with the workflow, too, which doesn't change the trigger. */
    private Reply told(int status, Trigger trigger) {
        return Reply.json(status, json.trigger(trigger)).header("ETag", "\"r" + trigger.revision() + "\"");
    }
}
