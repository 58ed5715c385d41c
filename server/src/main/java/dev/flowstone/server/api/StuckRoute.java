package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.read.RunReader;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.engine.stuck.Finding;
import dev.flowstone.engine.stuck.Help;
import dev.flowstone.engine.stuck.Place;
import dev.flowstone.engine.stuck.StuckFinder;
import dev.flowstone.engine.stuck.StuckKind;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.api.doc.ExecutionDocs;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.Page;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.server.http.Query;
import dev.flowstone.server.http.Reply;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Scope;
import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * A tenant's runs that stand still. A page looks at a bounded number of rows, and so may show few, or none, and still have a next
 * one. Runs that nodes have set aside stand on the first page, since nodes know them and no rows do.
 */
final class StuckRoute {
    private static final String PATH = "/api/v1/stuck";
    private static final String KIND = "kind";

    /** Of one page; each passes by some thousand rows. */
    private static final int LOOKS = 10;

    private final Optional<StuckFinder> finder;
    private final Supplier<Map<RunKey, String>> setAside;
    private final RunReader runs;
    private final Elsewhere elsewhere;
    private final Clock clock;

    StuckRoute(
            Optional<StuckFinder> finder,
            Supplier<Map<RunKey, String>> setAside,
            RunReader runs,
            Elsewhere elsewhere,
            Clock clock) {
        this.finder = requireNonNull(finder);
        this.setAside = requireNonNull(setAside);
        this.runs = requireNonNull(runs);
        this.elsewhere = requireNonNull(elsewhere);
        this.clock = requireNonNull(clock);
    }

    Route route() {
        return Route.get(PATH, Scope.EXECUTIONS_READ, ExecutionDocs.STUCK, this::list);
    }

    private Reply list(Call call) throws ProblemException, JournalException {
        Set<StuckKind> kinds = kinds(call.query());
        int limit = Page.limit(call.query());
        Optional<String> after = Page.key(call.query(), Page.AFTER);
        Optional<Place> place = after.isPresent()
                ? Optional.of(Place.parse(after.get()).orElseThrow(() -> Page.badCursor(Page.AFTER)))
                : Place.first(kinds);
        List<JsonValue> items = new ArrayList<>();
        if (after.isEmpty() && kinds.contains(StuckKind.SET_ASIDE)) {
            setAside(call, items);
        }
        int shown = items.size();
        for (int look = 0; look < LOOKS && finder.isPresent() && place.isPresent() && shown < limit; look++) {
            StuckFinder.Page page = page(call, place.get(), kinds, limit - shown);
            page.findings().forEach(finding -> items.add(json(finding)));
            shown += page.findings().size();
            place = page.next();
        }
        Optional<Place> next = finder.isPresent() ? place : Optional.empty();
        return Reply.json(200, new Page(items, next.map(it -> Page.cursor(it.toString()))).toJson());
    }

    private StuckFinder.Page page(Call call, Place place, Set<StuckKind> kinds, int most)
            throws ProblemException, JournalException {
        try {
            return finder.orElseThrow().page(call.tenant(), place, kinds, _ -> true, most, clock.now());
        } catch (IllegalArgumentException e) {
            throw Page.badCursor(Page.AFTER);
        }
    }

    private static Set<StuckKind> kinds(Query query) {
        List<String> words = query.words(KIND);
        if (words.isEmpty()) {
            return EnumSet.allOf(StuckKind.class);
        }
        return words.stream()
                .map(word -> StuckKind.of(word).orElseThrow())
                .collect(Collectors.toCollection(() -> EnumSet.noneOf(StuckKind.class)));
    }

    /** This node's, and those of other nodes. */
    private void setAside(Call call, List<JsonValue> items) throws JournalException {
        for (Map.Entry<RunKey, String> aside : setAside.get().entrySet()) {
            if (aside.getKey().tenant().equals(call.tenant())) {
                Optional<RunRow> row = runs.run(call.tenant(), aside.getKey().run());
                items.add(json(new Finding(
                        aside.getKey(),
                        row.map(RunRow::workflow),
                        StuckKind.SET_ASIDE,
                        row.map(RunRow::updatedAt),
                        aside.getValue(),
                        Help.REENQUEUE)));
            }
        }
        for (JsonObject answer : elsewhere.everywhere(call, PATH + "?" + KIND + "=" + StuckKind.SET_ASIDE)) {
            if (answer.get("items") instanceof JsonArray(List<JsonValue> others)) {
                items.addAll(others);
            }
        }
    }

    private static JsonObject json(Finding finding) {
        return JsonObject.builder()
                .put("executionId", finding.run().run().toString())
                .put(
                        "workflowId",
                        finding.workflow()
                                .<JsonValue>map(id -> new JsonString(id.value()))
                                .orElse(JsonNull.NULL))
                .put(KIND, finding.kind().toString())
                .put(
                        "since",
                        finding.since()
                                .<JsonValue>map(time -> new JsonString(time.toString()))
                                .orElse(JsonNull.NULL))
                .put("help", finding.help().toString())
                .put("why", finding.why())
                .build();
    }
}
