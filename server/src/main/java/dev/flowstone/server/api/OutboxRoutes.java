package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.effect.Outbox;
import dev.flowstone.engine.effect.OutboxControl;
import dev.flowstone.engine.effect.OutboxControl.Deed;
import dev.flowstone.engine.effect.OutboxControl.Entry;
import dev.flowstone.engine.effect.OutboxControl.Filter;
import dev.flowstone.engine.effect.OutboxControl.State;
import dev.flowstone.engine.effect.OutboxControl.Story;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.OutboxKey;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
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
import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;

/** What leaves by the outbox, to look at; and what is done with dead letters. */
final class OutboxRoutes {
    private static final String ROOT = "/api/v1/outbox";
    private static final String ONE = ROOT + "/{message}";
    private static final String STATE = "state";
    private static final String DESTINATION = "destination";
    private static final String DEATH = "death";
    private static final String RUN = "executionId";
    private static final String BEFORE = "failedBefore";
    private static final String REASON = "reason";
    private static final String PER_SECOND = "perSecond";
    private static final int NAME = 200;
    private static final int MOST = 10_000;
    private static final int USUAL = 100;
    private static final int FASTEST = 1_000;
    private static final int USUAL_PACE = 10;

    private final OutboxControl outbox;

    OutboxRoutes(OutboxControl outbox) {
        this.outbox = requireNonNull(outbox);
    }

    List<Route> routes() {
        return List.of(
                Route.get(ROOT, Scope.OUTBOX_READ, OutboxDocs.LIST, this::list),
                Route.get(ONE, Scope.OUTBOX_READ, OutboxDocs.SHOW, this::show),
                Route.post(ONE + "/requeue", Scope.OUTBOX_MANAGE, OutboxDocs.REQUEUE, BodyRule.OPTIONAL, this::requeue),
                Route.post(
                        ROOT + "/requeue",
                        Scope.OUTBOX_MANAGE,
                        OutboxDocs.REQUEUE_SOME,
                        BodyRule.REQUIRED,
                        this::requeueSome),
                Route.delete(ONE, Scope.OUTBOX_MANAGE, OutboxDocs.PURGE, this::purge),
                Route.post(
                        ROOT + "/purge",
                        Scope.OUTBOX_MANAGE,
                        OutboxDocs.PURGE_SOME,
                        BodyRule.REQUIRED,
                        this::purgeSome));
    }

    private Reply list(Call call) throws ProblemException, JournalException {
        Query query = call.query();
        Filter filter = new Filter(
                query.meaning(STATE, OutboxRoutes::state),
                query.text(DESTINATION),
                query.meaning(DEATH, OutboxRoutes::death),
                query.meaning(RUN, RunId::parse),
                Optional.empty(),
                Optional.empty());
        int limit = Page.limit(query);
        Optional<OutboxKey> after = after(call);
        List<Entry> found = outbox.list(call.tenant(), filter, after, limit + 1);
        List<Entry> page = found.subList(0, Math.min(limit, found.size()));
        Optional<String> next = found.size() > limit
                ? Optional.of(Page.cursor(page.getLast().key().text()))
                : Optional.empty();
        List<JsonValue> items = page.stream().<JsonValue>map(OutboxJson::entry).toList();
        return Reply.json(200, new Page(items, next).toJson());
    }

    private static Optional<OutboxKey> after(Call call) throws ProblemException {
        try {
            return Page.key(call.query(), Page.AFTER).map(text -> OutboxKey.parse(call.tenant(), text));
        } catch (IllegalArgumentException e) {
            throw Page.badCursor(Page.AFTER);
        }
    }

    private Reply show(Call call) throws ProblemException, JournalException {
        OutboxKey key = key(call);
        return Reply.json(200, OutboxJson.story(key, story(key)));
    }

    private Reply requeue(Call call) throws ProblemException, JournalException {
        OutboxKey key = key(call);
        Fields body = call.fields().only(Set.of(REASON));
        if (outbox.requeue(call.tenant(), Filter.of(key), 1, Duration.ZERO, deed(call, body)) == 0) {
            throw notDead(key, "be put back");
        }
        return Reply.json(200, OutboxJson.story(key, story(key)));
    }

    private Reply purge(Call call) throws ProblemException, JournalException {
        OutboxKey key = key(call);
        Deed deed = new Deed(call.caller().principal(), call.query().prose(REASON, OutboxDocs.PROSE));
        if (outbox.purge(call.tenant(), Filter.of(key), 1, deed) == 0) {
            throw notDead(key, "be removed");
        }
        return Reply.json(
                200,
                JsonObject.builder()
                        .put("message", key.text())
                        .put("purged", true)
                        .build());
    }

    private Reply requeueSome(Call call) throws ProblemException, JournalException {
        Fields body = call.fields().only(Set.of(DESTINATION, DEATH, RUN, BEFORE, Page.LIMIT, PER_SECOND, REASON));
        int limit = body.number(Page.LIMIT, 1, MOST).orElse(USUAL);
        int perSecond = body.number(PER_SECOND, 1, FASTEST).orElse(USUAL_PACE);
        int requeued = outbox.requeue(
                call.tenant(), dead(body), limit, Duration.ofSeconds(1).dividedBy(perSecond), deed(call, body));
        return Reply.json(200, done("requeued", requeued, limit));
    }

    private Reply purgeSome(Call call) throws ProblemException, JournalException {
        Fields body = call.fields().only(Set.of(DESTINATION, DEATH, RUN, BEFORE, Page.LIMIT, REASON));
        int limit = body.number(Page.LIMIT, 1, MOST).orElse(USUAL);
        return Reply.json(200, done("purged", outbox.purge(call.tenant(), dead(body), limit, deed(call, body)), limit));
    }

    private static JsonObject done(String what, int count, int limit) {
        return JsonObject.builder()
                .put(what, count)
                .put("more", JsonBoolean.of(count == limit))
                .build();
    }

    private static Filter dead(Fields body) throws ProblemException {
        return new Filter(
                Optional.of(State.DEAD),
                body.text(DESTINATION, NAME),
                body.meaning(DEATH, NAME, OutboxRoutes::death),
                body.meaning(RUN, NAME, RunId::parse),
                Optional.empty(),
                body.meaning(BEFORE, NAME, Query::instant));
    }

    private static Deed deed(Call call, Fields body) throws ProblemException {
        return new Deed(
                call.caller().principal(), body.note(REASON, OutboxDocs.PROSE).orElse(""));
    }

    private static State state(String text) {
        return switch (text) {
            case "pending" -> State.PENDING;
            case "dead" -> State.DEAD;
            default -> throw new IllegalArgumentException("it takes pending or dead, not '" + text + "'");
        };
    }

    private static Outbox.DeathReason death(String text) {
        for (Outbox.DeathReason reason : Outbox.DeathReason.values()) {
            if (reason.name().equals(text.toUpperCase(Locale.ROOT))) {
                return reason;
            }
        }
        throw new IllegalArgumentException(
                "it takes UNDELIVERABLE, EXHAUSTED or UNKNOWN_DESTINATION, not '" + text + "'");
    }

    private static OutboxKey key(Call call) throws ProblemException {
        String text = call.variable("message");
        try {
            return OutboxKey.parse(call.tenant(), text);
        } catch (IllegalArgumentException e) {
            throw unknown(text);
        }
    }

    private Story story(OutboxKey key) throws ProblemException, JournalException {
        Optional<Story> story = outbox.story(key);
        if (story.isEmpty()) {
            throw unknown(key.text());
        }
        return story.get();
    }

    private ProblemException notDead(OutboxKey key, String what) throws ProblemException, JournalException {
        State state = story(key).entry().map(Entry::state).orElse(State.GONE);
        return Problem.of(
                        ProblemCode.INVALID_STATE,
                        "only a dead letter can " + what + "; message " + key.text() + " is "
                                + state.name().toLowerCase(Locale.ROOT))
                .exception();
    }

    private static ProblemException unknown(String key) {
        return Problem.of(
                        ProblemCode.MESSAGE_NOT_FOUND,
                        "this tenant has no message " + Cut.text(key)
                                + ", or it left so long ago that its evidence is not kept any more")
                .exception();
    }
}
