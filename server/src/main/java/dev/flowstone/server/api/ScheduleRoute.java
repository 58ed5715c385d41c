package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.engine.trigger.Trigger;
import dev.flowstone.engine.trigger.TriggerKey;
import dev.flowstone.engine.trigger.TriggerKind;
import dev.flowstone.engine.trigger.Triggers;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.schedule.Due;
import dev.flowstone.server.api.doc.TriggerDocs;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.Problem;
import dev.flowstone.server.http.ProblemCode;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.server.http.Reply;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Scope;
import dev.flowstone.triggers.schedule.ScheduleRules;
import java.time.Instant;
import java.time.ZoneId;
import java.time.format.DateTimeFormatter;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/** When a schedule fires next, and what changes of the clock make of it. */
final class ScheduleRoute {
    private static final int USUAL = 10;
    private static final DateTimeFormatter LOCAL = DateTimeFormatter.ofPattern("uuuu-MM-dd'T'HH:mm:ssxxx", Locale.ROOT);

    private final Triggers triggers;
    private final Clock clock;

    ScheduleRoute(Triggers triggers, Clock clock) {
        this.triggers = requireNonNull(triggers);
        this.clock = requireNonNull(clock);
    }

    Route route() {
        return Route.get(TriggerRoutes.ONE + "/next", Scope.WORKFLOWS_READ, TriggerDocs.NEXT, this::next);
    }

    private Reply next(Call call) throws ProblemException, JournalException {
        int count = call.query().number("count", 1, TriggerDocs.MOST_TICKS).orElse(USUAL);
        Instant from = call.query().time("from").orElseGet(clock::now);
        TriggerKey key = TriggerRoutes.key(call);
        Trigger trigger = triggers.find(key)
                .orElseThrow(() -> TriggerRoutes.unknown(key.id().toString()));
        if (trigger.kind() != TriggerKind.SCHEDULE) {
            throw Problem.of(
                            ProblemCode.INVALID_STATE,
                            "trigger " + key.id() + " is of type "
                                    + trigger.kind().word() + ": only a Schedule has ticks")
                    .exception();
        }
        ScheduleRules rules = StoredConfig.of(trigger, ScheduleRules::of)
                .orElseThrow(() -> Problem.of(
                                ProblemCode.INVALID_STATE,
                                "this node can't read the schedule of trigger " + key.id()
                                        + ", such as one of a time zone that it doesn't know: say all of it in a PUT")
                        .exception());
        List<JsonValue> items = new ArrayList<>();
        Optional<Due> next = rules.next(from);
        while (items.size() < count && next.isPresent()) {
            items.add(tick(next.get(), rules.zone()));
            next = rules.next(next.get().at());
        }
        return Reply.json(
                200,
                JsonObject.builder()
                        .put(ScheduleRules.ZONE, rules.zone().getId())
                        .put("items", new JsonArray(items))
                        .build());
    }

    private static JsonObject tick(Due due, ZoneId zone) {
        return JsonObject.builder()
                .put("at", due.at().toString())
                .put("local", LOCAL.format(due.at().atZone(zone)))
                .put("clock", due.clock().name().toLowerCase(Locale.ROOT))
                .build();
    }
}
