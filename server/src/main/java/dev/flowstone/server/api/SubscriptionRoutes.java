package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.read.FeedPlace;
import dev.flowstone.engine.subscription.SinkAddress;
import dev.flowstone.engine.subscription.Subscription.Wish;
import dev.flowstone.engine.subscription.SubscriptionKey;
import dev.flowstone.engine.subscription.SubscriptionName;
import dev.flowstone.engine.subscription.SubscriptionWork.Lag;
import dev.flowstone.engine.subscription.Subscriptions;
import dev.flowstone.engine.subscription.Subscriptions.Change;
import dev.flowstone.engine.subscription.Subscriptions.Deed;
import dev.flowstone.engine.subscription.Subscriptions.Standing;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.api.doc.EventDocs;
import dev.flowstone.server.api.doc.Kinds;
import dev.flowstone.server.api.doc.OutboxDocs;
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
import dev.flowstone.server.subscription.CursorGoneException;
import dev.flowstone.server.subscription.SubscriptionControl;
import dev.flowstone.server.subscription.SubscriptionControl.Target;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Who gets which events, and how far each has come. */
final class SubscriptionRoutes {
    private static final String ROOT = "/api/v1/subscriptions";
    private static final String ONE = ROOT + "/{name}";
    private static final String SINK = "sink";
    private static final String FILTER = "filter";
    private static final String FROM = "from";
    private static final String TO = "to";
    private static final String CURSOR = "cursor";
    private static final String EVENT = "event";
    private static final String REASON = "reason";
    private static final int NAME = 250;

    /** A place in each of a thousand streams, at their longest. */
    private static final int LONGEST_CURSOR = 100_000;

    /** Of what deeds say, which are kept for ever. */
    private static final int LONGEST_DETAIL = 1_000;

    private static final int ITEMS = 100;
    private static final int DEEDS = 20;

    private final SubscriptionControl control;
    private final Subscriptions store;
    private final Clock clock;

    SubscriptionRoutes(SubscriptionControl control, Clock clock) {
        this.control = requireNonNull(control);
        this.store = control.subscriptions();
        this.clock = requireNonNull(clock);
    }

    List<Route> routes() {
        return List.of(
                Route.get(ROOT, Scope.SUBSCRIPTIONS_READ, EventDocs.LIST, this::list),
                Route.get(ONE, Scope.SUBSCRIPTIONS_READ, EventDocs.SHOW, this::show),
                Route.put(ONE, Scope.SUBSCRIPTIONS_MANAGE, EventDocs.PUT, BodyRule.REQUIRED, this::put),
                Route.delete(ONE, Scope.SUBSCRIPTIONS_MANAGE, EventDocs.REMOVE, this::remove),
                Route.post(ONE + "/pause", Scope.SUBSCRIPTIONS_MANAGE, EventDocs.PAUSE, BodyRule.OPTIONAL, this::pause),
                Route.post(
                        ONE + "/resume", Scope.SUBSCRIPTIONS_MANAGE, EventDocs.RESUME, BodyRule.OPTIONAL, this::resume),
                Route.post(
                        ONE + "/rewind", Scope.SUBSCRIPTIONS_MANAGE, EventDocs.REWIND, BodyRule.REQUIRED, this::rewind),
                Route.post(ONE + "/skip", Scope.SUBSCRIPTIONS_MANAGE, EventDocs.SKIP, BodyRule.OPTIONAL, this::skip));
    }

    private Reply list(Call call) throws ProblemException, JournalException {
        int limit = Page.limit(call.query());
        Optional<SubscriptionName> after;
        try {
            after = Page.key(call.query(), Page.AFTER).map(SubscriptionName::new);
        } catch (IllegalArgumentException e) {
            throw Page.badCursor(Page.AFTER);
        }
        // Read before the cursors: who is shown as up to date is shown with the cursor of that, or a later one.
        Map<SubscriptionKey, Lag> lags = control.lags(call.tenant());
        List<Standing> found = store.list(call.tenant(), after, limit + 1);
        List<JsonValue> items = found.subList(0, Math.min(limit, found.size())).stream()
                .<JsonValue>map(standing -> json(
                                standing,
                                Optional.ofNullable(
                                        lags.get(standing.subscription().key())))
                        .build())
                .toList();
        Optional<String> next = found.size() > limit
                ? Optional.of(Page.cursor(
                        found.get(limit - 1).subscription().key().name().value()))
                : Optional.empty();
        return Reply.json(200, new Page(items, next).toJson());
    }

    private Reply show(Call call) throws ProblemException, JournalException {
        return told(200, key(call));
    }

    private Reply told(int status, SubscriptionKey key) throws ProblemException, JournalException {
        // Read before the cursors, as in a list.
        Optional<Lag> lag = control.lag(key);
        Standing standing = store.find(key).orElseThrow(() -> unknown(key.name().value()));
        return Reply.json(
                status,
                json(standing, lag)
                        .put("deeds", SubscriptionJson.deeds(store.deeds(key, DEEDS)))
                        .build());
    }

    private JsonObject.Builder json(Standing standing, Optional<Lag> lag) {
        return SubscriptionJson.of(standing, control.cursor(standing), lag, clock.now());
    }

    private Reply put(Call call) throws ProblemException, JournalException {
        SubscriptionKey key = key(call);
        Fields body = call.fields().only(Set.of(SINK, FILTER, FROM, REASON));
        Wish wish = wish(body);
        Target from = body.meaning(FROM, NAME, SubscriptionRoutes::beginning).orElseGet(Target.Now::new);
        Map<Integer, FeedPlace> begin = places(key, from, body, FROM);
        return done(key, store.put(key, wish, begin, call.expectedRevision(), deed(call, body)));
    }

    private Wish wish(Fields body) throws ProblemException {
        Fields sink = body.object(SINK).orElseThrow(() -> body.missing(SINK)).only(Set.of("webhook", "kafka"));
        Optional<SinkAddress> webhook = sink.meaning("webhook", NAME, SinkAddress.Webhook::new);
        Optional<SinkAddress> kafka = sink.meaning("kafka", NAME, SinkAddress.Kafka::new);
        if (webhook.isPresent() == kafka.isPresent()) {
            throw body.wrong(
                    SINK,
                    "'sink' is one of {\"webhook\": ENDPOINT} and {\"kafka\": TOPIC}",
                    "name the endpoint or the topic");
        }
        SinkAddress address = webhook.or(() -> kafka).orElseThrow();
        Optional<String> fault = control.fault(address);
        if (fault.isPresent()) {
            throw body.wrong(SINK, fault.get(), "name one that is configured");
        }
        Optional<Fields> filter = body.object(FILTER);
        if (filter.isEmpty()) {
            return new Wish(address, Set.of(), Set.of());
        }
        Fields wanted = filter.get().only(Set.of("types", "workflows"));
        return new Wish(
                address,
                Set.copyOf(wanted.meanings("types", ITEMS, NAME, SubscriptionRoutes::kind)
                        .orElse(List.of())),
                Set.copyOf(wanted.meanings("workflows", ITEMS, NAME, WorkflowId::new)
                        .orElse(List.of())));
    }

    private static String kind(String text) {
        if (!Kinds.OF_EVENTS.contains(text)) {
            throw new IllegalArgumentException(
                    "'" + text + "' is no kind of events; known: " + String.join(", ", Kinds.OF_EVENTS));
        }
        return text;
    }

    private static Target beginning(String text) {
        return switch (text) {
            case "now" -> new Target.Now();
            case "beginning" -> new Target.Beginning();
            default -> throw new IllegalArgumentException("it takes now or beginning, not '" + text + "'");
        };
    }

    private Reply remove(Call call) throws ProblemException, JournalException {
        SubscriptionKey key = key(call);
        Deed deed = new Deed(call.caller().principal(), call.query().prose(REASON, OutboxDocs.PROSE));
        made(key, store.remove(key, call.expectedRevision(), deed));
        return Reply.json(
                200,
                JsonObject.builder()
                        .put("name", key.name().value())
                        .put("removed", true)
                        .build());
    }

    private Reply pause(Call call) throws ProblemException, JournalException {
        SubscriptionKey key = key(call);
        return done(key, store.pause(key, call.expectedRevision(), deed(call, reasoned(call))));
    }

    private Reply resume(Call call) throws ProblemException, JournalException {
        SubscriptionKey key = key(call);
        return done(key, store.resume(key, call.expectedRevision(), deed(call, reasoned(call))));
    }

    private static Fields reasoned(Call call) throws ProblemException {
        return call.fields().only(Set.of(REASON));
    }

    private Reply rewind(Call call) throws ProblemException, JournalException {
        SubscriptionKey key = key(call);
        Fields body = call.fields().only(Set.of(TO, REASON));
        Target target = target(body);
        Map<Integer, FeedPlace> to = places(key, target, body, TO);
        return done(key, store.move(key, to, detail(target), call.expectedRevision(), deed(call, body)));
    }

    private static Target target(Fields body) throws ProblemException {
        if (body.value(TO).filter(JsonObject.class::isInstance).isPresent()) {
            Fields to = body.object(TO).orElseThrow().only(Set.of(CURSOR));
            return new Target.Cursor(to.requiredText(CURSOR, LONGEST_CURSOR));
        }
        return body.meaning(TO, LONGEST_CURSOR, SubscriptionRoutes::place).orElseThrow(() -> body.missing(TO));
    }

    /** A cursor's text is no time, and none of the words. */
    private static Target place(String text) {
        if (text.equals("now") || text.equals("beginning")) {
            return beginning(text);
        }
        // A cursor's text has no colon, a time has two.
        return text.contains(":") ? new Target.At(Query.instant(text)) : new Target.Cursor(text);
    }

    private static String detail(Target target) {
        return switch (target) {
            case Target.Now _ -> "now";
            case Target.Beginning _ -> "beginning";
            case Target.At at -> at.time().toString();
            case Target.Cursor(String text) ->
                text.length() > LONGEST_DETAIL ? text.substring(0, LONGEST_DETAIL) + "…" : text;
        };
    }

    private Map<Integer, FeedPlace> places(SubscriptionKey key, Target target, Fields body, String member)
            throws ProblemException, JournalException {
        try {
            return control.places(key, target);
        } catch (CursorGoneException e) {
            throw Problem.of(
                            ProblemCode.EVENTS_GONE,
                            e.getMessage() + "; the oldest cursor that there is now: " + e.oldest())
                    .exception();
        } catch (IllegalArgumentException e) {
            throw body.wrong(
                    member,
                    "it takes now, beginning, a time such as 2026-11-27T23:05:00Z or a cursor: "
                            + Cut.text(String.valueOf(e.getMessage())),
                    "send one of them");
        }
    }

    private Reply skip(Call call) throws ProblemException, JournalException {
        SubscriptionKey key = key(call);
        Fields body = call.fields().only(Set.of(EVENT, REASON));
        return done(key, store.skip(key, body.text(EVENT, NAME), call.expectedRevision(), deed(call, body)));
    }

    private Reply done(SubscriptionKey key, Change change) throws ProblemException, JournalException {
        return told(made(key, change) ? 201 : 200, key);
    }

    /** Whether it was created. */
    private static boolean made(SubscriptionKey key, Change change) throws ProblemException {
        return switch (change) {
            case Change.Made(boolean created) -> created;
            case Change.Unknown() -> throw unknown(key.name().value());
            case Change.TooMany() ->
                throw Problem.of(
                                ProblemCode.LIMIT_EXCEEDED,
                                "this tenant has " + Subscriptions.MOST
                                        + " subscriptions, and may have no more; remove one first")
                        .exception();
            case Change.OtherRevision(long revision) ->
                throw Problem.of(
                                ProblemCode.PRECONDITION_FAILED,
                                "subscription '" + key.name() + "' is at revision " + revision
                                        + ", not at that of If-Match; read it again, then decide again")
                        .exception();
            case Change.NotBlocked(List<String> blocked) ->
                throw Problem.of(
                                ProblemCode.INVALID_STATE,
                                blocked.isEmpty()
                                        ? "no event of subscription '" + key.name() + "' is held up"
                                        : "say which 'event' is meant; held up are " + String.join(", ", blocked))
                        .exception();
        };
    }

    private static SubscriptionKey key(Call call) throws ProblemException {
        String name = call.variable("name");
        try {
            return new SubscriptionKey(call.tenant(), new SubscriptionName(name));
        } catch (IllegalArgumentException e) {
            if (call.route().body() == BodyRule.REQUIRED) {
                throw Problem.of(ProblemCode.INVALID_REQUEST, String.valueOf(e.getMessage()))
                        .exception();
            }
            throw unknown(name);
        }
    }

    private static ProblemException unknown(String name) {
        return Problem.of(
                        ProblemCode.SUBSCRIPTION_NOT_FOUND,
                        "this tenant has no subscription '" + Cut.text(name) + "'; PUT " + ONE + " makes one")
                .exception();
    }

    private static Deed deed(Call call, Fields body) throws ProblemException {
        return new Deed(
                call.caller().principal(), body.note(REASON, OutboxDocs.PROSE).orElse(""));
    }
}
