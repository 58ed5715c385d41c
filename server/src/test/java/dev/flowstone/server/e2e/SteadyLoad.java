package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNull;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.read.RunFilter;
import dev.flowstone.engine.read.RunRow;
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

    /**
     * Ends the load: all that was acknowledged is there and comes to its end by itself, whatever else is there was asked for,
     * each request began one run at most, and every chain is whole.
     */
    void nothingIsLost() throws Exception {
        close();
        assertEquals(List.of(), List.copyOf(odd));
        Set<RunId> expected = new HashSet<>(acknowledged.values());
        assertEquals(acknowledged.size(), expected.size(), "each request has a run of its own");
        for (RunId run : expected) {
            assertEquals(RunStatus.SUCCEEDED, house.await(run).status());
        }
        Map<String, RunId> there = there();
        assertTrue(there.values().containsAll(expected));
        acknowledged.forEach((id, run) -> assertEquals(run, there.get(id), id));
        Set<String> requests =
                IntStream.rangeClosed(1, asked.get()).mapToObj(this::request).collect(Collectors.toSet());
        assertTrue(requests.containsAll(there.keySet()), "what is there was asked for");
        assertTrue(house.verifier().all().whole());
    }

    /** All runs, by the requests that began them, of which each has begun one. */
    private Map<String, RunId> there() throws Exception {
        RunFilter mine = new RunFilter(Optional.of(new WorkflowId(workflow)), Set.of());
        Map<String, RunId> found = new HashMap<>();
        Optional<RunId> before = Optional.empty();
        while (true) {
            List<RunRow> page = house.flowstone().ports().runs().runs(House.TENANT, mine, before, 100);
            if (page.isEmpty()) {
                return found;
            }
            for (RunRow row : page) {
                String request = request(row);
                RunId other = found.put(request, row.key().run());
                assertNull(other, () -> request + " began " + row.key().run() + ", too");
            }
            before = Optional.of(page.getLast().key().run());
        }
    }

    private String request(RunRow row) {
        return house.history(row)
                .all(EventBody.RunStarted.class)
                .getFirst()
                .requestId()
                .orElse("");
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
