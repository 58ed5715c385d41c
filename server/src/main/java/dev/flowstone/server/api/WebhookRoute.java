package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.engine.trigger.Arrival;
import dev.flowstone.engine.trigger.Result;
import dev.flowstone.engine.trigger.Trigger;
import dev.flowstone.engine.trigger.TriggerDeliveries.Claim;
import dev.flowstone.engine.trigger.TriggerId;
import dev.flowstone.engine.trigger.TriggerKind;
import dev.flowstone.engine.trigger.Triggers.Armed;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.outbound.HttpHeader;
import dev.flowstone.server.api.doc.TriggerDocs;
import dev.flowstone.server.http.BodyRule;
import dev.flowstone.server.http.Budget;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.Doc;
import dev.flowstone.server.http.Headers;
import dev.flowstone.server.http.Limits;
import dev.flowstone.server.http.Place;
import dev.flowstone.server.http.Problem;
import dev.flowstone.server.http.ProblemCode;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.server.http.Reply;
import dev.flowstone.server.http.Room;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Scope;
import dev.flowstone.server.trigger.TriggerDesk;
import dev.flowstone.triggers.webhook.WebhookDoor;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/**
 * The address of each webhook trigger (dataflow.md §13.7). Who calls is told by the signature, and the tenant by the trigger; nothing
 * else that is sent is believed. The same bytes are taken once, unless they came to nothing; a delivery that its sender signs anew
 * starts nothing anew.
 */
final class WebhookRoute {
    private static final String UNPROVEN = "unproven";

    private final TriggerDesk desk;
    private final TriggerStart start;
    private final Limits limits;
    private final Room starts;
    private final Clock clock;

    /**
     * The routes.
     *
     * @param limits on what each webhook's sender sends, and on what nothing proves
     * @param starts room for those that wait for the engine: a delivery takes its place once it is proven
     */
    WebhookRoute(TriggerDesk desk, TriggerStart start, Limits limits, Room starts, Clock clock) {
        this.desk = requireNonNull(desk);
        this.start = requireNonNull(start);
        this.limits = requireNonNull(limits);
        this.starts = requireNonNull(starts);
        this.clock = requireNonNull(clock);
    }

    /** Where the interface has them, and at the base path that is set. */
    List<Route> routes() {
        Route usual = route(TriggerRoutes.ROOT, TriggerDocs.RECEIVE);
        String other = desk.rules().basePath();
        return other.equals(TriggerRoutes.ROOT)
                ? List.of(usual)
                : List.of(usual, route(other, TriggerDocs.RECEIVE_ELSEWHERE));
    }

    private Route route(String root, Doc doc) {
        return Route.post(root + "/{" + TriggerRoutes.ID + "}", Scope.PUBLIC, doc, BodyRule.REQUIRED, this::take)
                .counting(Budget.WEBHOOKS)
                .inPlaceOf(variables -> id(variables).flatMap(desk::place));
    }

    private Reply take(Call call) throws ProblemException, JournalException {
        if (!desk.rules().webhooks()) {
            throw Problem.of(ProblemCode.FORBIDDEN, "this installation takes no webhooks (trigger.webhooks)")
                    .exception();
        }
        Instant now = clock.now();
        Optional<TriggerId> id = id(call.variables());
        Optional<Armed> armed = id.isEmpty() ? Optional.empty() : desk.armed(id.get());
        byte[] body = call.requiredBody().bytes();
        return switch (WebhookDoor.judge(armed, headers(call.headers()), body, now)) {
            case WebhookDoor.Verdict.Unproven() -> throw unproven(call, armed, now);
            case WebhookDoor.Verdict.OutOfTime late -> throw outOfTime(call, armed.orElseThrow(), late, now);
            case WebhookDoor.Verdict.Genuine(String delivery, Instant sentAt) -> {
                Trigger trigger = armed.orElseThrow().trigger();
                yield take(call, trigger, Arrival.signed(trigger.key(), delivery, sentAt, now));
            }
        };
    }

    /** It counts as its sender's, unless it is what somebody has overheard. */
    private Reply take(Call call, Trigger trigger, Arrival arrival) throws ProblemException, JournalException {
        String webhook = trigger.key().id().toString();
        try (Place _ = Place.take(starts, trigger.key().tenant())) {
            call.tally().count(limits.webhook(webhook));
            Claim claim = desk.take(arrival);
            if (claim == Claim.REPLAY) {
                limits.giveBack(webhook);
                call.tally().count(limits.unproven());
                throw replayed(arrival.delivery());
            }
            return start.start(call, trigger, arrival, claim == Claim.AGAIN, () -> came(call));
        }
    }

    /** A text that is no id is one that no trigger has. */
    private static Optional<TriggerId> id(Map<String, String> variables) {
        try {
            return Optional.of(TriggerId.parse(requireNonNull(variables.get(TriggerRoutes.ID))));
        } catch (IllegalArgumentException e) {
            return Optional.empty();
        }
    }

    private static TriggerStart.Came came(Call call) throws ProblemException {
        JsonParser.Located document = call.requiredBody().value();
        return new TriggerStart.Came(document.value(), document, "");
    }

    private static List<HttpHeader> headers(Headers sent) {
        return WebhookDoor.HEADERS.stream()
                .flatMap(name -> sent.all(name).stream().map(value -> HttpHeader.secret(name, value.strip())))
                .toList();
    }

    /** Says the same, and counts the same, whether there is such a trigger or not. */
    private ProblemException unproven(Call call, Optional<Armed> armed, Instant now) throws ProblemException {
        desk.checkCrowd();
        call.tally().count(limits.unproven());
        Problem problem = Problem.of(
                        ProblemCode.SIGNATURE_REFUSED,
                        "no webhook is here whose secret has signed this: send webhook-id, webhook-timestamp and"
                                + " webhook-signature, v1 with a live secret of the trigger, over the bytes of the body")
                .header("WWW-Authenticate", "Webhook-Signature");
        armed.map(Armed::trigger)
                .filter(it -> it.kind() == TriggerKind.WEBHOOK)
                .ifPresent(it -> desk.note(Arrival.unproven(it.key(), UNPROVEN, now), refused(problem)));
        return problem.exception();
    }

    private ProblemException outOfTime(Call call, Armed armed, WebhookDoor.Verdict.OutOfTime late, Instant now)
            throws ProblemException {
        call.tally().count(limits.unproven());
        Problem problem = Problem.of(
                ProblemCode.WEBHOOK_REPLAYED,
                "it was signed at " + late.sentAt() + ", and here it is " + now + ": more than "
                        + late.tolerance().toSeconds() + " s away; sign each attempt anew, by a clock that is right");
        desk.note(Arrival.unproven(armed.trigger().key(), late.delivery(), now), refused(problem));
        return problem.exception();
    }

    private static Result refused(Problem problem) {
        return Result.refused(problem.code().name(), problem.detail());
    }

    private static ProblemException replayed(String delivery) {
        return Problem.of(
                        ProblemCode.WEBHOOK_REPLAYED,
                        "delivery '" + delivery + "' of this time was sent before; nothing was done: to send it again,"
                                + " sign it anew, a second later")
                .exception();
    }
}
