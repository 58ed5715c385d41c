package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.state.RunStatus;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;

/** The lifecycle of workflows over HTTP on a real database, where it is guarded too (dataflow.md §3.0, §13.3). */
@ExtendWith(SharedHouse.class)
final class LifecycleOnPostgresTest {
    private final House house;

    LifecycleOnPostgresTest(House house) {
        this.house = house;
    }

    private static String echo(String id, String said) {
        return "{\"id\":\"" + id + "\",\"displayName\":\"E\",\"startNode\":\"a\",\"nodes\":[{\"id\":\"a\","
                + "\"actionType\":\"core.echo\",\"parameters\":{\"said\":\"" + said + "\"}}]}";
    }

    /** Waits for two seconds, then says something, or calls a workflow. */
    private static String slow(String id, String last) {
        return "{\"id\":\"" + id + "\",\"displayName\":\"S\",\"startNode\":\"a\",\"nodes\":[{\"id\":\"a\","
                + "\"actionType\":\"core.delay\",\"parameters\":{\"duration\":\"PT2S\"},"
                + "\"edges\":[{\"targetNode\":\"b\"}]}," + last + "]}";
    }

    @Test
    void whatIsInFlightGoesOnAfterItsWorkflowWasArchived() throws Exception {
        house.publish(
                slow("in-flight", "{\"id\":\"b\",\"actionType\":\"core.echo\",\"parameters\":{\"said\":\"done\"}}"));
        RunId run = house.start("in-flight", "{}");

        assertEquals(
                "Archived",
                house.post("/workflows/in-flight/archive", "").expect(200).text("status"));
        assertEquals("Running", house.get("/executions/" + run).expect(200).text("status"));
        assertEquals(
                "NOT_EXECUTABLE",
                house.post("/workflows/in-flight/execute", "{}").expect(409).text("code"));

        assertEquals(RunStatus.SUCCEEDED, house.await(run).status());
    }

    @Test
    void aChildOfAWorkflowThatWasArchivedMeanwhileIsRefusedAlsoInAPinnedVersion() throws Exception {
        house.publish(echo("gone-child", "hello"));
        house.publish(slow(
                "pins-gone",
                "{\"id\":\"b\",\"nodeType\":\"subworkflow\",\"workflowId\":\"gone-child\",\"workflowVersion\":1}"));
        RunId run = house.start("pins-gone", "{}");
        house.post("/workflows/gone-child/archive", "").expect(200);

        assertEquals(RunStatus.FAILED, house.await(run).status());

        String told = house.get("/executions/" + run).expect(200).text();
        assertTrue(told.contains("UNKNOWN_WORKFLOW"), told);
        assertTrue(
                house.get("/executions?workflowId=gone-child")
                        .expect(200)
                        .text()
                        .contains("\"items\":[]"),
                "no child began");
    }

    @Test
    void aDraftIsDeletedWithTheVersionsThatWereStagedForIt() throws Exception {
        house.post("/workflows", echo("dropped", "one")).expect(201);
        assertEquals(
                "Draft",
                house.post("/workflows/dropped/publish?autoActivate=false", "")
                        .expect(200)
                        .text("status"));
        house.post("/workflows", echo("dropped", "two")).expect(200);
        house.post("/workflows/dropped/publish?autoActivate=false", "").expect(200);
        house.get("/workflows/dropped?version=2").expect(200);

        house.delete("/workflows/dropped").expect(204);

        house.get("/workflows/dropped").expect(404);
        house.delete("/workflows/dropped").expect(404);
        house.publish(echo("dropped", "three"));
        assertTrue(house.get("/workflows/dropped?version=1").expect(200).text().contains("three"));
        house.get("/workflows/dropped?version=2").expect(404);
    }

    @Test
    void whatWasEverActiveIsNeverDeleted() throws Exception {
        house.publish(echo("kept-for-ever", "one"));
        assertEquals(
                "WORKFLOW_STATE",
                house.delete("/workflows/kept-for-ever").expect(409).text("code"));
        house.post("/workflows/kept-for-ever/draft", echo("kept-for-ever", "two"))
                .expect(201);
        house.post("/workflows/kept-for-ever/publish?autoActivate=false", "").expect(200);
        house.delete("/workflows/kept-for-ever").expect(409);
        house.post("/workflows/kept-for-ever/archive", "").expect(200);
        house.delete("/workflows/kept-for-ever").expect(409);

        house.get("/workflows/kept-for-ever?version=1").expect(200);
        house.get("/workflows/kept-for-ever?version=2").expect(200);
    }

    /** Whoever is first wins: the draft is gone, or its version is active and stays. */
    @Test
    void deletingAndPublishingAtOnceLeavesOneOfBoth() throws Exception {
        for (int i = 0; i < 10; i++) {
            String id = "race-" + i;
            house.post("/workflows", echo(id, "one")).expect(201);
            house.post("/workflows/" + id + "/publish?autoActivate=false", "").expect(200);
            List<Callable<House.Answer>> both = List.of(
                    () -> house.delete("/workflows/" + id), () -> house.post("/workflows/" + id + "/publish", ""));
            List<Integer> told = new ArrayList<>();
            try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
                for (Future<House.Answer> answer : threads.invokeAll(both)) {
                    told.add(answer.get().status());
                }
            }
            if (told.getFirst() == 204) {
                assertEquals(404, told.getLast());
                house.get("/workflows/" + id).expect(404);
            } else {
                assertEquals(List.of(409, 200), told);
                house.get("/workflows/" + id + "?version=1").expect(200);
            }
        }
    }
}
