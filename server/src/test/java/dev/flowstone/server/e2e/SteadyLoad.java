package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;
import static org.junit.jupiter.api.Assertions.fail;

import dev.flowstone.engine.read.RunFilter;
import dev.flowstone.engine.read.RunHistory;
import dev.flowstone.engine.read.RunReader;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.state.RunStatus;
import java.io.IOException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Queue;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import java.util.stream.Collectors;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/**
 * Callers who start runs without a pause and, like callers do, ask again under the same request id until they are answered.
 * They remember what was acknowledged.
 */
final class SteadyLoad implements AutoCloseable {
    private static final int CALLERS = 8;

    private final House house;
    private final String workflow;
    private final Map<String, RunId> acknowledged = new ConcurrentHashMap<>();
    private final Queue<String> odd = new ConcurrentLinkedQueue<>();
    private final AtomicInteger asked = new AtomicInteger();
    private final ExecutorService callers = Executors.newCachedThreadPool();
    private volatile boolean ended;

    private SteadyLoad(House house, String workflow) {
        this.house = house;
        this.workflow = workflow;
    }

    /** Of a published workflow that nobody else starts. */
    static SteadyLoad on(House house, String workflow) {
        return on(house, workflow, CALLERS);
    }

    /** The same by so many callers. */
    static SteadyLoad on(House house, String workflow, int callers) {
        SteadyLoad load = new SteadyLoad(house, workflow);
        for (int i = 0; i < callers; i++) {
            load.callers.execute(load::call);
        }
        return load;
    }

    int acknowledged() {
        return acknowledged.size();
    }

    private void call() {
        while (!ended) {
            String id = request(asked.incrementAndGet());
            while (!ended && !answered(id)) {
                LockSupport.parkNanos(TimeUnit.MILLISECONDS.toNanos(20));
            }
        }
    }

    private String request(int number) {
        return workflow + "-" + number;
    }

    private boolean answered(String id) {
        try {
            House.Answer answer = house.post("/workflows/" + workflow + "/execute", "{\"requestId\": \"" + id + "\"}");
            int status = answer.status();
            if (status == 200 || status == 202) {
                acknowledged.put(id, RunId.parse(answer.text("executionId")));
                return true;
            }
            if (status != 503) {
                odd.add(status + " " + answer.text());
            }
            return false;
        } catch (IOException e) {
            return false;
        } catch (Exception e) {
            odd.add(e.toString());
            return true;
        }
    }

    /** Ends the load: every request is kept, and every chain is whole. */
    void nothingIsLost() throws Exception {
        everyRequestIsKept();
        assertTrue(house.verifier().all().whole());
    }

    /**
     * Ends the load: all that was acknowledged is there and comes to its end by itself, whatever else is there was asked for,
     * and each request began one run at most.
     */
    void everyRequestIsKept() throws Exception {
        close();
        assertEquals(List.of(), List.copyOf(odd));
        Set<RunId> expected = new HashSet<>(acknowledged.values());
        assertEquals(acknowledged.size(), expected.size(), "each request has a run of its own");
        Map<String, RunRow> there = there();
        Map<RunId, RunRow> rows = new HashMap<>();
        there.values().forEach(row -> rows.put(row.key().run(), row));
        assertTrue(rows.keySet().containsAll(expected));
        for (RunId run : expected) {
            RunRow row = rows.get(run);
            RunStatus status = row != null && row.status().isFinal()
                    ? row.status()
                    : house.await(run).status();
            assertEquals(RunStatus.SUCCEEDED, status);
        }
        acknowledged.forEach((id, run) -> assertEquals(rows.get(run), there.get(id), id));
        Set<String> requests =
                IntStream.rangeClosed(1, asked.get()).mapToObj(this::request).collect(Collectors.toSet());
        assertTrue(requests.containsAll(there.keySet()), "what is there was asked for");
    }

    /** All runs, by the requests that began them, of which each has begun one. */
    private Map<String, RunRow> there() throws Exception {
        RunReader runs = house.flowstone().ports().runs();
        RunHistory histories = new RunHistory(runs);
        RunFilter mine = new RunFilter(Optional.of(new WorkflowId(workflow)), Set.of());
        Map<String, RunRow> found = new HashMap<>();
        Optional<RunId> before = Optional.empty();
        while (true) {
            List<RunRow> page = runs.runs(House.TENANT, mine, before, 100);
            if (page.isEmpty()) {
                return found;
            }
            Map<RunId, Event> first = histories.beginnings(
                    House.TENANT, page.stream().map(row -> row.key().run()).toList());
            for (RunRow row : page) {
                String request = request(first.get(row.key().run()));
                RunRow other = found.put(request, row);
                assertNull(other, () -> request + " began " + row.key().run() + ", too");
            }
            before = Optional.of(page.getLast().key().run());
        }
    }

    private static String request(@Nullable Event first) {
        return first != null && first.body() instanceof EventBody.RunStarted started
                ? started.requestId().orElse("")
                : fail("a run that doesn't begin with its start: " + first);
    }

    @Override
    public void close() {
        ended = true;
        callers.shutdown();
        try {
            assertTrue(callers.awaitTermination(2, TimeUnit.MINUTES), "callers hang");
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
