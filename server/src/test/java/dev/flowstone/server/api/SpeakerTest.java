package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.DataEvent;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.HumanEvent;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.program.Quorum;
import dev.flowstone.server.api.RestFixture.Answer;
import dev.flowstone.server.timeline.Timeline;
import dev.flowstone.testkit.scenario.History;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;

/**
 * Whatever came while an execution was suspended is its sender's word, wherever one can read who did it; the operator who let the
 * execution go on did that and nothing else.
 */
final class SpeakerTest {
    private static final String ROOT = "/api/v1/executions/";
    private static final String TENANT = "speakers";
    private static RestFixture rest;

    @BeforeAll
    static void serve() throws Exception {
        rest = new RestFixture();
    }

    @AfterAll
    static void stop() {
        rest.close();
    }

    private static Answer as(String person, String path, String body) throws Exception {
        Answer answer =
                rest.post(ROOT + path, body, "Flowstone-Tenant", TENANT, "Flowstone-Principal", "user:" + person);
        assertTrue(answer.status() < 300, answer::toString);
        return answer;
    }

    private static Answer get(String path) throws Exception {
        return rest.get(ROOT + path, "Flowstone-Tenant", TENANT);
    }

    /** Anna claims and decides, and carl changes a variable, while it is suspended; the operator lets it go on. */
    private static String buffered(Quorum quorum) throws Exception {
        String workflow = quorum instanceof Quorum.All ? "review-by-all" : "review-by-one";
        String run = rest.start(HumanPrograms.review(workflow, quorum, "user:anna", "user:bob"), TENANT);
        rest.until(ROOT + run + "/tasks", answer -> count(answer) == 1, "Flowstone-Tenant", TENANT);
        as("operator", run + "/suspend", "{\"reason\": \"audit\"}");
        Answer set = rest.call(
                "PATCH",
                ROOT + run + "/variables",
                Optional.of("{\"variables\": {\"n\": 1}, \"reason\": \"corrected\"}"),
                "Flowstone-Tenant",
                TENANT,
                "Flowstone-Principal",
                "user:carl");
        assertTrue(set.status() < 300, set::toString);
        as("anna", run + "/tasks/review%231/claim", "{\"leaseSeconds\": 60}");
        as("anna", run + "/tasks/review%231/decide", "{\"outcome\": \"approved\"}");
        as("operator", run + "/resume", "{\"reason\": \"done\"}");
        return run;
    }

    private static int count(Answer list) {
        return ((JsonArray) list.at("/items")).items().size();
    }

    private static List<Event> events(String run) {
        return History.of(rest.ports().runs(), new TenantId(TENANT), RunId.parse(run))
                .events();
    }

    private static long sequence(String run, Class<? extends EventBody> kind) {
        return events(run).stream()
                .filter(event -> kind.isInstance(event.body()))
                .findFirst()
                .orElseThrow()
                .sequence();
    }

    @Test
    void theTimelineNamesTheSenderOfWhatWasBuffered() throws Exception {
        String run = buffered(new Quorum.One());

        Answer timeline = get(run + "/timeline?limit=200");

        int decided = (int) sequence(run, HumanEvent.HumanDecided.class) - 1;
        assertEquals("user:anna", timeline.text("/items/" + decided + "/annotations/by"));
        assertTrue(timeline.text("/items/" + decided + "/annotations/summary/0").contains("by user:anna"));
        int claimed = (int) sequence(run, HumanEvent.TaskClaimed.class) - 1;
        assertTrue(timeline.text("/items/" + claimed + "/annotations/summary/0").contains("by user:anna"));
        int set = (int) sequence(run, DataEvent.VariablesSet.class) - 1;
        assertTrue(timeline.text("/items/" + set + "/annotations/summary/0").contains("by user:carl: corrected"));
        // The stored header stays what it is: whoever resumed it.
        assertEquals("user:operator", events(run).get(decided).header().actor().toString());
    }

    @Test
    void aPageThatBeginsAnywhereNamesHimToo() throws Exception {
        String run = buffered(new Quorum.One());
        long decided = sequence(run, HumanEvent.HumanDecided.class);
        assertTrue(sequence(run, ControlEvent.BufferedInputTaken.class) < decided);

        for (long from = 2; from <= decided; from++) {
            Answer page = get(run + "/timeline?limit=200&from=" + from);
            assertEquals("user:anna", page.text("/items/" + (decided - from) + "/annotations/by"), "from " + from);
        }
        assertEquals("user:anna", get(run + "/timeline?limit=1&from=" + decided).text("/items/0/annotations/by"));
    }

    @Test
    void whoDecidesAfterTheResumeIsTheOneInTheHeader() throws Exception {
        String run = buffered(new Quorum.All());
        as("bob", run + "/tasks/review%231/decide", "{\"outcome\": \"approved\"}");

        Answer timeline = get(run + "/timeline?limit=200");

        List<String> by = events(run).stream()
                .filter(event -> event.body() instanceof HumanEvent.HumanDecided)
                .map(event -> timeline.text("/items/" + (event.sequence() - 1) + "/annotations/by"))
                .toList();
        assertEquals(List.of("user:anna", "user:bob"), by);
    }

    @Test
    void listsOfTasksNameHimToo() throws Exception {
        String run = buffered(new Quorum.All());

        Answer tasks = get(run + "/tasks");

        assertEquals("user:anna", tasks.text("/items/0/decisions/0/actor"), tasks::toString);
        assertFalse(tasks.toString().contains("user:operator"), tasks::toString);
    }

    @Test
    void theLinesOfACommandLineNameHimToo() throws Exception {
        String run = buffered(new Quorum.One());
        Timeline timeline = new Timeline();

        List<String> details = events(run).stream()
                .flatMap(event -> timeline.lines(event).stream())
                .flatMap(line -> line.detail().stream())
                .toList();

        assertTrue(details.contains("approved by user:anna"), details::toString);
        assertTrue(details.stream().noneMatch(detail -> detail.contains("by user:operator")), details::toString);
    }
}
