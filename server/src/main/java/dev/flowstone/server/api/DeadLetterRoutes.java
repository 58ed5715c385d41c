package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.dead.DeadLetter;
import dev.flowstone.engine.dead.DeadLetters;
import dev.flowstone.engine.effect.OutboxControl;
import dev.flowstone.engine.effect.OutboxControl.Deed;
import dev.flowstone.engine.effect.OutboxControl.Entry;
import dev.flowstone.engine.effect.OutboxControl.Filter;
import dev.flowstone.engine.effect.OutboxControl.Story;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.OutboxKey;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.api.doc.DeadLetterDocs;
import dev.flowstone.server.api.doc.OutboxDocs;
import dev.flowstone.server.http.BodyRule;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.Cut;
import dev.flowstone.server.http.Fields;
import dev.flowstone.server.http.Page;
import dev.flowstone.server.http.Problem;
import dev.flowstone.server.http.ProblemCode;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.server.http.Reply;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Scope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * What could not be taken up (dataflow.md §11.2), to look at, to requeue and to purge. Messages of the outbox that are dead stand
 * behind the others in the same list; nothing of them is copied.
 */
final class DeadLetterRoutes {
    private static final String ROOT = "/api/v1/dead-letters";
    private static final String ONE = ROOT + "/{id}";
    private static final String COMMENT = "comment";
    private static final String PER_SECOND = "perSecond";
    private static final Pattern NUMBER = Pattern.compile("[1-9][0-9]{0,17}");
    private static final int MOST = 10_000;
    private static final int USUAL = 100;
    private static final int FASTEST = 1_000;
    private static final int USUAL_PACE = 10;
    private static final int DEEDS = 200;

    private final DeadLetters letters;
    private final OutboxControl outbox;
    private final String queue;

    /** @param queue what the place is called */
    DeadLetterRoutes(DeadLetters letters, OutboxControl outbox, String queue) {
        this.letters = requireNonNull(letters);
        this.outbox = requireNonNull(outbox);
        this.queue = requireNonNull(queue);
    }

    List<Route> routes() {
        return List.of(
                Route.get(ROOT, Scope.DEAD_LETTERS_READ, DeadLetterDocs.LIST, this::list),
                Route.get(ONE, Scope.DEAD_LETTERS_READ, DeadLetterDocs.SHOW, this::show),
                Route.post(
                        ONE + "/requeue",
                        Scope.DEAD_LETTERS_MANAGE,
                        DeadLetterDocs.REQUEUE,
                        BodyRule.OPTIONAL,
                        this::requeue),
                Route.delete(ONE, Scope.DEAD_LETTERS_MANAGE, DeadLetterDocs.PURGE, this::purge),
                Route.post(
                        ROOT + "/requeue",
                        Scope.DEAD_LETTERS_MANAGE,
                        DeadLetterDocs.REQUEUE_SOME,
                        BodyRule.REQUIRED,
                        this::requeueSome),
                Route.post(
                        ROOT + "/purge",
                        Scope.DEAD_LETTERS_MANAGE,
                        DeadLetterDocs.PURGE_SOME,
                        BodyRule.REQUIRED,
                        this::purgeSome));
    }

    private static Set<String> with(Set<String> names, String... more) {
        Set<String> all = new HashSet<>(names);
        all.addAll(List.of(more));
        return Set.copyOf(all);
    }

    /** The outbox's come last, so that a cursor is a place in one of both. */
    private Reply list(Call call) throws ProblemException, JournalException {
        DeadLetterChoice choice = DeadLetterChoice.of(call.query());
        int limit = Page.limit(call.query());
        Optional<String> cursor = Page.key(call.query(), Page.AFTER);
        boolean inOutbox = cursor.filter(key -> !NUMBER.matcher(key).matches()).isPresent();
        List<JsonValue> items = new ArrayList<>();
        List<String> places = new ArrayList<>();
        if (!inOutbox && choice.letters().isPresent()) {
            long after = cursor.map(Long::parseLong).orElse(0L);
            for (DeadLetter letter :
                    letters.list(call.tenant(), choice.letters().get(), after, limit + 1)) {
                items.add(DeadLetterJson.letter(letter));
                places.add(Long.toString(letter.id()));
            }
        }
        if (items.size() <= limit && choice.effects().isPresent()) {
            Optional<OutboxKey> after = inOutbox ? Optional.of(place(call.tenant(), cursor.get())) : Optional.empty();
            int more = limit + 1 - items.size();
            for (Entry entry : outbox.list(call.tenant(), choice.effects().get(), after, more)) {
                items.add(DeadLetterJson.effect(entry));
                places.add(entry.key().text());
            }
        }
        Optional<String> next =
                items.size() > limit ? Optional.of(Page.cursor(places.get(limit - 1))) : Optional.empty();
        return Reply.json(200, new Page(items.subList(0, Math.min(limit, items.size())), next).toJson());
    }

    private static OutboxKey place(TenantId tenant, String text) throws ProblemException {
        try {
            return OutboxKey.parse(tenant, text);
        } catch (IllegalArgumentException e) {
            throw Page.badCursor(Page.AFTER);
        }
    }

    private Reply show(Call call) throws ProblemException, JournalException {
        return switch (named(call)) {
            case Named.Letter(long id) -> {
                DeadLetter letter = letters.find(call.tenant(), id).orElseThrow(() -> unknown(Long.toString(id)));
                yield Reply.json(200, DeadLetterJson.whole(letter, letters.deeds(call.tenant(), id, DEEDS), queue));
            }
            case Named.Effect(OutboxKey key) -> {
                Story story = outbox.story(key).orElseThrow(() -> unknown(key.text()));
                Entry entry = story.entry()
                        .filter(it -> it.state() == OutboxControl.State.DEAD)
                        .orElseThrow(() -> unknown(key.text()));
                yield Reply.json(200, DeadLetterJson.whole(entry, story, queue));
            }
        };
    }

    private Reply requeue(Call call) throws ProblemException, JournalException {
        Deed deed = deed(call, call.fields().only(Set.of(COMMENT)));
        int requeued = switch (named(call)) {
            case Named.Letter(long id) ->
                letters.requeue(call.tenant(), DeadLetters.Filter.of(id), 1, Duration.ZERO, deed);
            case Named.Effect(OutboxKey key) -> outbox.requeue(call.tenant(), Filter.of(key), 1, Duration.ZERO, deed);
        };
        return done(call, "requeued", requeued);
    }

    private Reply purge(Call call) throws ProblemException, JournalException {
        Deed deed = new Deed(call.caller().principal(), call.query().prose(COMMENT, OutboxDocs.PROSE));
        int purged = switch (named(call)) {
            case Named.Letter(long id) -> letters.purge(call.tenant(), DeadLetters.Filter.of(id), 1, deed);
            case Named.Effect(OutboxKey key) -> outbox.purge(call.tenant(), Filter.of(key), 1, deed);
        };
        return done(call, "purged", purged);
    }

    private static Reply done(Call call, String what, int count) throws ProblemException {
        String id = call.variable("id");
        if (count == 0) {
            throw unknown(id);
        }
        return Reply.json(
                200, JsonObject.builder().put("id", id).put(what, true).build());
    }

    private Reply requeueSome(Call call) throws ProblemException, JournalException {
        Fields body = call.fields().only(with(DeadLetterChoice.NAMES, Page.LIMIT, PER_SECOND, COMMENT));
        int limit = body.number(Page.LIMIT, 1, MOST).orElse(USUAL);
        Duration apart = Duration.ofSeconds(1)
                .dividedBy(body.number(PER_SECOND, 1, FASTEST).orElse(USUAL_PACE));
        DeadLetterChoice choice = DeadLetterChoice.of(body).deadUnlessSaid();
        Deed deed = deed(call, body);
        int done = choice.letters().isPresent()
                ? letters.requeue(call.tenant(), choice.letters().get(), limit, apart, deed)
                : 0;
        if (done < limit && choice.effects().isPresent()) {
            done += outbox.requeue(call.tenant(), choice.effects().get(), limit - done, apart, deed);
        }
        return some("requeued", done, limit);
    }

    private Reply purgeSome(Call call) throws ProblemException, JournalException {
        Fields body = call.fields().only(with(DeadLetterChoice.NAMES, Page.LIMIT, COMMENT));
        int limit = body.number(Page.LIMIT, 1, MOST).orElse(USUAL);
        DeadLetterChoice choice = DeadLetterChoice.of(body);
        Deed deed = deed(call, body);
        int done = choice.letters().isPresent()
                ? letters.purge(call.tenant(), choice.letters().get(), limit, deed)
                : 0;
        if (done < limit && choice.effects().isPresent()) {
            done += outbox.purge(call.tenant(), choice.effects().get(), limit - done, deed);
        }
        return some("purged", done, limit);
    }

    private static Reply some(String what, int count, int limit) {
        return Reply.json(
                200,
                JsonObject.builder()
                        .put(what, count)
                        .put("more", JsonBoolean.of(count == limit))
                        .build());
    }

    private static Deed deed(Call call, Fields body) throws ProblemException {
        return new Deed(
                call.caller().principal(), body.note(COMMENT, OutboxDocs.PROSE).orElse(""));
    }

    /** One of either place, by the form of its id. */
    private sealed interface Named {
        record Letter(long id) implements Named {}

        record Effect(OutboxKey key) implements Named {}
    }

    private static Named named(Call call) throws ProblemException {
        String text = call.variable("id");
        if (NUMBER.matcher(text).matches()) {
            return new Named.Letter(Long.parseLong(text));
        }
        try {
            return new Named.Effect(OutboxKey.parse(call.tenant(), text));
        } catch (IllegalArgumentException e) {
            throw unknown(text);
        }
    }

    private static ProblemException unknown(String id) {
        return Problem.of(
                        ProblemCode.DEAD_LETTER_NOT_FOUND,
                        "this tenant has no dead letter " + Cut.text(id)
                                + "; it may have been taken up or purged meanwhile")
                .exception();
    }
}
