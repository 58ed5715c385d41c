package dev.flowstone.server.metric;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.engine.dead.DeadLetterStore;
import dev.flowstone.engine.node.NodeLoad;
import dev.flowstone.engine.subscription.Subscriptions;
import dev.flowstone.engine.task.TaskLoad;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.expression.ScriptExpressions;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** {@code docs/metrics.md} names every family with its labels, and none that there isn't. */
final class MetricsPageTest {
    private static final Pattern ROW = Pattern.compile("(?m)^\\| `([a-z_A-Z]+)(?:\\{([a-zA-Z_, ]*)\\})?` \\|");

    @Test
    void thePageAndTheFamiliesAreTheSame() throws Exception {
        Meters meters = new Meters();
        EngineMetrics engine = new EngineMetrics(meters, Clock.SYSTEM);
        TimedExpressions expressions = new TimedExpressions(new ScriptExpressions(), meters);
        HttpMetrics http = new HttpMetrics(meters);
        LoadGauges.addTo(meters, () -> new NodeLoad(List.of(), TaskLoad.idle(1)));
        SkewGauges.addTo(meters, () -> new NodeLoad(List.of(), TaskLoad.idle(1)), Clock.SYSTEM);
        new SweptRows().addTo(meters);
        BacklogGauges.addTo(
                meters,
                now -> {
                    throw new AssertionError("nobody scrapes");
                },
                Clock.SYSTEM);
        DeadRowGauges.addTo(meters, () -> {
            throw new AssertionError("nobody scrapes");
        });
        DeadLetterGauges.addTo(meters, DeadLetterStore.NONE, Clock.SYSTEM);
        DeadLetterCounts letters = new DeadLetterCounts(meters);
        StuckGauges.addTo(meters, Map::of);
        SubscriptionGauges.addTo(meters, Subscriptions.none().work(), Clock.SYSTEM);
        new EventsOutMetrics().addTo(meters);
        new TriggerMetrics().addTo(meters);
        ProcessGauges.addTo(meters);
        assertEquals(4, List.of(engine, expressions, http, letters).size());

        TreeSet<String> families = meters.families().stream()
                .map(family -> family.name() + family.labels())
                .collect(Collectors.toCollection(TreeSet::new));
        TreeSet<String> documented = new TreeSet<>();
        Matcher rows = ROW.matcher(Files.readString(Path.of("..", "docs", "metrics.md")));
        while (rows.find()) {
            documented.add(rows.group(1)
                    + (rows.group(2) == null ? List.of() : List.of(rows.group(2).split(", *"))));
        }

        assertEquals(String.join("\n", families), String.join("\n", documented));
    }
}
