package dev.flowstone.testkit.simulation;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.testkit.simulation.world.Coverage;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/**
 * What came of a simulation, or of as much of it as has been played.
 *
 * @param seeds played
 * @param digest of everything that was stored; equal simulations have equal ones
 */
public record SimulationReport(
        long firstSeed, long seeds, long runs, long events, int digest, Coverage coverage, Optional<Failure> failure) {
    /** Below so many seeds it isn't judged what never happened. */
    private static final long ENOUGH = 1_000;

    /** From so many on the demanded numbers are demanded outright. */
    private static final long WHOLE = 20_000;

    /** By how many standard deviations a short run may fall behind its share: by chance one in thirty thousand does. */
    private static final double TOLERATED = 4;

    static SimulationReport of(long firstSeed) {
        return new SimulationReport(firstSeed, 0, 0, 0, 1, new Coverage(), Optional.empty());
    }

    /** The counts are shared with this report, which is over. */
    SimulationReport and(Simulation.Result result) {
        coverage.add(result.coverage());
        return new SimulationReport(
                firstSeed,
                seeds + 1,
                runs + result.runs(),
                events + result.events(),
                31 * digest + result.digest(),
                coverage,
                failure);
    }

    SimulationReport with(Failure found) {
        return new SimulationReport(firstSeed, seeds, runs, events, digest, coverage, Optional.of(found));
    }

    /**
     * What happened less than a thousand times in twenty thousand seeds (an event, and what becomes of a worker's attempts: two hundred times), or in proportion, with
     * how often it did. A run of fewer seeds may fall behind its share by as much as chance explains: what happens just often
     * enough in twenty thousand is a rare event, whose number scatters by the square root of what is expected.
     */
    public Map<String, Long> rare() {
        Map<String, Long> rare = new TreeMap<>();
        if (seeds >= ENOUGH) {
            for (Coverage.Sort sort : Coverage.Sort.values()) {
                coverage.rare(sort, Kinds.of(sort), demanded(sort))
                        .forEach((name, count) -> rare.put(sort.name().toLowerCase(Locale.ROOT) + " " + name, count));
            }
        }
        return rare;
    }

    private long demanded(Coverage.Sort sort) {
        long share = seeds / often(sort);
        return seeds >= WHOLE ? share : Math.max(0, Math.round(share - TOLERATED * Math.sqrt((double) share)));
    }

    /** Events are many, some of them follow only from several rare things together. */
    private static long often(Coverage.Sort sort) {
        return sort == Coverage.Sort.EVENT || sort == Coverage.Sort.WORKER ? 100 : 20;
    }

    /** No rule was broken, and everything happened often enough. */
    public boolean passed() {
        return failure.isEmpty() && rare().isEmpty();
    }

    /** For a person. */
    public List<String> lines() {
        List<String> lines = new ArrayList<>();
        failure.ifPresent(found -> lines.addAll(found.lines()));
        if (failure.isEmpty()) {
            lines.add("seeds " + firstSeed + " to " + (firstSeed + seeds - 1) + ": " + runs + " runs, " + events
                    + " events, no rule broken (digest " + Integer.toHexString(digest) + ")");
            for (Coverage.Sort sort : Coverage.Sort.values()) {
                lines.add("  " + sort.name().toLowerCase(Locale.ROOT) + ": " + new TreeMap<>(coverage.of(sort)));
            }
            rare().forEach((name, count) -> lines.add("too rare: " + name + " happened " + count + " times"));
        }
        return lines;
    }

    /** For a program. */
    public JsonObject toJson() {
        JsonObject.Builder counts = JsonObject.builder();
        for (Coverage.Sort sort : Coverage.Sort.values()) {
            counts.put(sort.name().toLowerCase(Locale.ROOT), numbers(coverage.of(sort)));
        }
        JsonObject.Builder json = JsonObject.builder()
                .put("firstSeed", firstSeed)
                .put("seeds", seeds)
                .put("runs", runs)
                .put("events", events)
                .put("digest", Integer.toHexString(digest))
                .put("passed", passed())
                .put("counts", counts.build())
                .put("tooRare", numbers(rare()));
        failure.ifPresent(found -> json.put(
                "failure",
                JsonObject.builder()
                        .put("seed", found.plan().seed())
                        .put("steps", found.plan().text())
                        .put("violation", found.violation())
                        .put("command", found.command())
                        .put(
                                "trace",
                                new JsonArray(found.trace().stream()
                                        .<JsonValue>map(JsonString::new)
                                        .toList()))
                        .build()));
        return json.build();
    }

    private static JsonObject numbers(Map<String, Long> counts) {
        JsonObject.Builder json = JsonObject.builder();
        new TreeMap<>(counts).forEach(json::put);
        return json.build();
    }
}
