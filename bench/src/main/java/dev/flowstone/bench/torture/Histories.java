package dev.flowstone.bench.torture;

import static java.util.Objects.requireNonNull;

import dev.flowstone.bench.torture.check.RunSeen;
import dev.flowstone.bench.torture.check.RunSeen.Seen;
import dev.flowstone.bench.torture.company.Company;
import dev.flowstone.bench.torture.company.Rest.Answer;
import dev.flowstone.bench.torture.load.Elapsed;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/** Reads what became of runs, from whichever node answers. */
final class Histories {
    private static final int AT_ONCE = 8;
    private static final int PAGE = 200;
    private static final int NOT_FOUND = 404;
    private static final Duration CALL = Duration.ofSeconds(20);
    private static final Duration PAUSE = Duration.ofMillis(200);

    private final Company company;
    private final Elapsed elapsed = new Elapsed();
    private final Duration patience;
    private final Map<String, RunSeen> found = new ConcurrentHashMap<>();

    private Histories(Company company, Duration patience) {
        this.company = requireNonNull(company);
        this.patience = requireNonNull(patience);
    }

    /**
     * Waits until these runs are over, and tells them; those that aren't when the patience is over, as they are then.
     *
     * @return by their ids; without those that no node knows
     */
    static Map<String, RunSeen> of(
            Company company, Collection<String> runs, Duration patience, Consumer<String> progress)
            throws InterruptedException {
        Histories histories = new Histories(company, patience);
        try (ExecutorService readers =
                Executors.newFixedThreadPool(AT_ONCE, Thread.ofVirtual().factory())) {
            for (String run : runs) {
                readers.execute(() -> histories.read(run));
            }
            readers.shutdown();
            while (!readers.awaitTermination(1, TimeUnit.SECONDS)) {
                progress.accept("reading histories: " + histories.found.size() + " of " + runs.size());
            }
        }
        return Map.copyOf(histories.found);
    }

    /**
     * Every run that there is, whoever was told of it.
     *
     * @throws IllegalStateException if no node tells within that time
     */
    static Set<String> ids(Company company, Duration patience) throws InterruptedException {
        Elapsed elapsed = new Elapsed();
        Set<String> ids = new LinkedHashSet<>();
        String from = "";
        for (int tries = 0; !elapsed.isBeyond(patience); tries++) {
            Optional<JsonObject> page = company.rest()
                    .get(
                            company.nodes().get(tries % company.nodes().size()),
                            "/api/v1/executions?limit=" + PAGE + from,
                            CALL)
                    .filter(Answer::isOk)
                    .map(Answer::body);
            if (page.isEmpty()) {
                Thread.sleep(PAUSE);
                continue;
            }
            if (page.get().get("items") instanceof JsonArray(List<JsonValue> items)) {
                items.forEach(item -> ids.add(text((JsonObject) item, "executionId")));
            }
            String next = text(page.get(), "next");
            if (next.isEmpty()) {
                return ids;
            }
            from = "&after=" + next;
        }
        throw new IllegalStateException("no node lists the executions within " + patience.toSeconds() + " s");
    }

    private void read(String run) {
        try {
            for (int tries = 0; ; tries++) {
                boolean last = elapsed.isBeyond(patience);
                Optional<RunSeen> seen = read(run, tries);
                if (seen.isPresent() && (last || isOver(seen.get()))) {
                    found.put(run, seen.get());
                    return;
                }
                if (last || isUnknown(run, tries)) {
                    return;
                }
                Thread.sleep(PAUSE);
            }
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static boolean isOver(RunSeen run) {
        return !run.status().equals("Running") && !run.status().equals("Pending");
    }

    private boolean isUnknown(String run, int tries) throws InterruptedException {
        return get(run, "", tries)
                .filter(answer -> answer.status() == NOT_FOUND)
                .isPresent();
    }

    private Optional<RunSeen> read(String run, int tries) throws InterruptedException {
        List<Seen> events = new ArrayList<>();
        Optional<Answer> answer = get(run, "", tries).filter(Answer::isOk);
        while (answer.isPresent()) {
            JsonObject execution = answer.get().body();
            events.addAll(page(execution));
            String next = execution.get("events") instanceof JsonObject page ? text(page, "next") : "";
            if (next.isEmpty()) {
                return Optional.of(new RunSeen(
                        run,
                        text(execution, "workflowId"),
                        text(execution, "status"),
                        text(execution, "requestId"),
                        events));
            }
            answer = get(run, "&eventsAfter=" + next, tries).filter(Answer::isOk);
        }
        return Optional.empty();
    }

    private Optional<Answer> get(String run, String from, int tries) throws InterruptedException {
        return company.rest()
                .get(
                        company.nodes().get(tries % company.nodes().size()),
                        "/api/v1/executions/" + run + "?include=events&limit=" + PAGE + from,
                        CALL);
    }

    private static List<Seen> page(JsonObject execution) {
        return execution.get("events") instanceof JsonObject page
                        && page.get("items") instanceof JsonArray(List<JsonValue> items)
                ? items.stream().map(item -> Seen.of((JsonObject) item)).toList()
                : List.of();
    }

    private static String text(JsonObject object, String member) {
        return object.get(member) instanceof JsonString(String text) ? text : "";
    }
}
