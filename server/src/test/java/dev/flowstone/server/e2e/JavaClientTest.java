package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.dead.DeadLetterConfig;
import dev.flowstone.engine.dead.DeadReason;
import dev.flowstone.engine.dead.DeadSource;
import dev.flowstone.engine.dead.PoisonMessage;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.sdk.client.DeadLetter;
import dev.flowstone.sdk.client.DeadLetterFilter;
import dev.flowstone.sdk.client.DeadLetterStory;
import dev.flowstone.sdk.client.DeadLetters.Swept;
import dev.flowstone.sdk.client.Decision;
import dev.flowstone.sdk.client.Execution;
import dev.flowstone.sdk.client.ExecutionEvent;
import dev.flowstone.sdk.client.ExecutionFilter;
import dev.flowstone.sdk.client.ExecutionStatus;
import dev.flowstone.sdk.client.ExecutionSummary;
import dev.flowstone.sdk.client.FiredTrigger;
import dev.flowstone.sdk.client.FlowstoneClient;
import dev.flowstone.sdk.client.Following;
import dev.flowstone.sdk.client.Health;
import dev.flowstone.sdk.client.HumanTask;
import dev.flowstone.sdk.client.HumanTasks;
import dev.flowstone.sdk.client.PublishedWorkflow;
import dev.flowstone.sdk.client.RefusedException;
import dev.flowstone.sdk.client.RefusedException.Category;
import dev.flowstone.sdk.client.RetryPolicy;
import dev.flowstone.sdk.client.Signal;
import dev.flowstone.sdk.client.Start;
import dev.flowstone.sdk.client.StartedExecution;
import dev.flowstone.sdk.client.Subject;
import dev.flowstone.sdk.client.TaskFilter;
import dev.flowstone.sdk.client.TaskName;
import dev.flowstone.sdk.client.Trigger;
import dev.flowstone.sdk.client.TriggerDelivery;
import dev.flowstone.sdk.client.TriggerFilter;
import dev.flowstone.sdk.client.TriggerSpec;
import dev.flowstone.sdk.client.TriggerType;
import dev.flowstone.sdk.client.WorkflowFilter;
import dev.flowstone.sdk.client.WorkflowStatus;
import dev.flowstone.sdk.client.WorkflowSummary;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.LongStream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.function.Executable;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** Every method of the Java client against a real server on a real database, each test for a tenant of its own. */
@ExtendWith(SharedHouse.class)
final class JavaClientTest {
    private static final Duration PATIENCE = Duration.ofMinutes(2);
    private static final String ECHO = """
            {"id": "echo", "displayName": "Says it", "startNode": "say", "nodes": [
              {"id": "say", "actionType": "core.echo", "parameters": {"said": "{{ trigger.word }}"}}]}""";
    private static final String ASKS = """
            {"$schema": "https://flowstone.dev/schema/states-1.json", "id": "asks", "name": "A", "start": "review",
             "states": {"review": {"human": {"assignees": [{"user": "anna"}, {"user": "bob"}]},
                                   "transitions": [{"on": "reject", "to": "no"}], "next": "done"},
                        "done": {"end": {}}, "no": {"end": {"outcome": "rejected"}}}}""";
    private static final String PAYING = """
            {"$schema": "https://flowstone.dev/schema/states-1.json", "id": "paying", "name": "P", "start": "paid",
             "states": {"paid": {"wait": {"signal": "paid", "key": "{{ trigger.order }}"}, "next": "done"},
                        "done": {"end": {}}}}""";

    /** What the workflow {@code echo} is started with. */
    record Word(String word) {}

    /** What it answers. */
    record Said(String said) {}

    private static FlowstoneClient client(House house, String tenant) {
        return FlowstoneClient.of(RemoteWorkerTest.address(house))
                .tenant(tenant)
                .principal("user:carl")
                .retry(RetryPolicy.DEFAULT.withDeadline(PATIENCE))
                .build();
    }

    private static JsonNode json(String text) {
        return JsonMapper.shared().readTree(text);
    }

    private static void publish(FlowstoneClient client, String definition) {
        client.workflows().publish(client.workflows().save(json(definition)).id());
    }

    private static RefusedException refused(String code, Executable call) {
        RefusedException refused = assertThrows(RefusedException.class, call);
        assertEquals(code, refused.code());
        return refused;
    }

    @Test
    void workflowsFromTheirFirstDraftToTheirEnd(House house) {
        try (FlowstoneClient client = client(house, "client-workflows")) {
            RefusedException faulty = refused(
                    "WFENG005",
                    () -> client.workflows().save(json(ECHO.replace("\"say\", \"nodes", "\"x\", \"nodes"))));
            assertEquals("/startNode", faulty.faults().getFirst().pointer());

            WorkflowSummary saved = client.workflows().save(json(ECHO));
            assertEquals(WorkflowStatus.DRAFT, saved.status());
            assertEquals(json(ECHO), client.workflows().draft("echo").definition());
            PublishedWorkflow staged = client.workflows().stage("echo");
            assertEquals(1, staged.version());
            assertEquals(WorkflowStatus.DRAFT, staged.status());
            client.workflows().save(json(ECHO));
            PublishedWorkflow published = client.workflows().publish("echo");
            assertEquals(WorkflowStatus.ACTIVE, published.status());
            assertFalse(published.created(), "the same definition is the same version");
            assertEquals(List.of(), published.warnings());
            long revision = client.workflows().get("echo").summary().revision();
            assertEquals(
                    WorkflowStatus.ARCHIVED,
                    client.workflows().atRevision(revision).archive("echo"));
            assertEquals(
                    412,
                    assertThrows(
                                    RefusedException.class,
                                    () -> client.workflows()
                                            .atRevision(revision)
                                            .reactivate("echo"))
                            .status());
            client.workflows().reactivate("echo");
            assertEquals(Optional.of(1), client.workflows().get("echo", 1).version());
            refused("VERSION_NOT_FOUND", () -> client.workflows().get("echo", 7));
            refused("IMMUTABLE", () -> client.workflows().save(json(ECHO)));

            assertTrue(client.workflows().openDraft("echo").hasDraft());
            assertFalse(client.workflows().discardDraft("echo").hasDraft());
            client.workflows().openDraft("echo", json(ECHO.replace("Says it", "Says it again")));
            assertEquals(2, client.workflows().publish("echo").version());
            assertEquals(
                    "Says it again", client.workflows().get("echo").summary().displayName());

            assertEquals(WorkflowStatus.ARCHIVED, client.workflows().archive("echo"));
            assertEquals(
                    List.of("echo"),
                    client
                            .workflows()
                            .list(WorkflowFilter.ALL
                                    .withStatus(WorkflowStatus.ARCHIVED)
                                    .withSearch("ech"))
                            .stream()
                            .map(WorkflowSummary::id)
                            .toList());
            assertEquals(WorkflowStatus.ACTIVE, client.workflows().reactivate("echo"));
            refused("WORKFLOW_STATE", () -> client.workflows().delete("echo"));
            client.workflows().save(json(ECHO.replace("\"echo\"", "\"brief\"")));
            client.workflows().delete("brief");
            refused("WORKFLOW_NOT_FOUND", () -> client.workflows().get("brief"));
        }
    }

    @Test
    void executionsFromTheirStartToTheirEnd(House house) {
        try (FlowstoneClient client = client(house, "client-executions")) {
            publish(client, ECHO);
            Start start = Start.of("echo")
                    .withTrigger(new Word("hello"))
                    .withSpec(Map.of("n", 1))
                    .withRequestId("event-7")
                    .withPriority(5)
                    .withPrincipal(new Start.Principal("carl", Optional.of("Carl"), Optional.empty()));
            StartedExecution started = client.executions().start(start);
            assertTrue(started.created());
            StartedExecution again = client.executions().start(start);
            assertEquals(started.executionId(), again.executionId());
            assertFalse(again.created());

            Start umlaut = Start.of("echo").withTrigger(new Word("ä"));
            assertNotEquals(
                    client.executions().start(umlaut.withRequestId("Müller")).executionId(),
                    client.executions().start(umlaut.withRequestId("Möller")).executionId());
            assertFalse(
                    client.executions().start(umlaut.withRequestId("Müller")).created());

            String id = started.executionId();
            Execution ended = client.executions().await(id, PATIENCE).orElseThrow();
            assertEquals(ExecutionStatus.SUCCEEDED, ended.status());
            assertEquals("event-7", ended.requestId());
            assertEquals(new Word("hello"), client.read(ended.trigger(), Word.class));
            assertEquals(Optional.empty(), ended.error());

            List<ExecutionEvent> events =
                    client.executions().events(id, 1).stream().toList();
            assertEquals(
                    LongStream.rangeClosed(1, ended.summary().lastSequence())
                            .boxed()
                            .toList(),
                    events.stream().map(ExecutionEvent::sequence).toList());
            assertEquals("RunStarted", events.getFirst().kind());
            assertEquals(
                    events.subList(2, 4).stream().map(ExecutionEvent::sequence).toList(),
                    client.executions().events(id, 3).page(2).items().stream()
                            .map(ExecutionEvent::sequence)
                            .toList());
            List<ExecutionEvent> followed = new ArrayList<>();
            try (Following following = client.executions().follow(id, 1)) {
                following.forEachRemaining(followed::add);
            }
            assertEquals(
                    events.stream().map(ExecutionEvent::kind).toList(),
                    followed.stream().map(ExecutionEvent::kind).toList());
            assertEquals("hello", client.read(ended.output(), Said.class).said());

            assertEquals(
                    List.of(id),
                    client
                            .executions()
                            .list(ExecutionFilter.ALL
                                    .withWorkflow("echo")
                                    .withStatus(ExecutionStatus.SUCCEEDED)
                                    .withStartedSince(Instant.EPOCH))
                            .stream()
                            .map(ExecutionSummary::executionId)
                            .filter(id::equals)
                            .toList());
            assertEquals(
                    0,
                    client.executions().list(ExecutionFilter.ALL.withStartedBefore(Instant.EPOCH)).stream()
                            .count());
            refused("WFENG002", () -> client.executions().cancel(id, "too late"));
            refused("NOT_EXECUTABLE", () -> {
                client.workflows().save(json(ECHO.replace("\"echo\"", "\"draft\"")));
                client.executions().start(Start.of("draft"));
            });
            refused("EXECUTION_NOT_FOUND", () -> client.executions().get(id.replace(id.charAt(0), 'f')));
        }
    }

    @Test
    void executionsAreHeldLetGoSignaledAndEnded(House house) {
        try (FlowstoneClient client = client(house, "client-control")) {
            publish(client, PAYING);
            Start about = Start.of("paying").withTrigger(Map.of("order", "o-7")).withSubject(Subject.of("order", "7"));
            String id = client.executions().start(about).executionId();
            RefusedException busy =
                    refused("SUBJECT_BUSY", () -> client.executions().start(about));
            assertEquals(Category.CONFLICT, busy.category());
            assertEquals(
                    Optional.of(new Subject("order", "7", 0, true)),
                    client.executions().get(id).summary().subject());
            assertEquals(Optional.empty(), client.executions().await(id, Duration.ofMillis(200)));

            assertFalse(client.executions().suspend(id, "audit").repeated());
            assertFalse(client.executions().get(id).json().path("hold").isNull());
            client.executions().resume(id, "done");

            Signal paid = Signal.of("paid", "o-7")
                    .withPayload(Map.of("amount", 120))
                    .withDedupe("payment-991")
                    .withTimeToLive(Duration.ofMinutes(5));
            try (Following following = client.executions().follow(id, 1)) {
                assertTrue(following.hasNext());
                assertEquals(Signal.Fate.DELIVERED, client.signals().send(paid, "key-1"));
                assertEquals(Signal.Fate.REPEATED, client.signals().send(paid, "key-1"));
                assertEquals(
                        client.executions()
                                .await(id, PATIENCE)
                                .orElseThrow()
                                .summary()
                                .lastSequence(),
                        following.stream().count());
            }
            assertEquals(Signal.Fate.DUPLICATE, client.signals().send(paid));
            assertEquals(
                    Signal.Fate.UNHEARD,
                    client.signals().send(Signal.of("paid", "o-8").toAll()));

            String canceled = client.executions().start(about).executionId();
            client.executions().cancel(canceled, "withdrawn");
            assertEquals(
                    Optional.of(ExecutionStatus.CANCELLED),
                    client.executions().await(canceled, PATIENCE).map(Execution::status));
            String killed = client.executions().start(about).executionId();
            client.executions().terminate(killed, "runaway");
            assertTrue(client.executions().get(killed).status().isOver());
        }
    }

    @Test
    void peopleDecide(House house) throws Exception {
        try (FlowstoneClient carl = client(house, "client-people")) {
            publish(carl, ASKS);
            String first = carl.executions().start(Start.of("asks")).executionId();
            HumanTasks anna = carl.as("user:anna").tasks();
            HumanTasks bob = carl.as("user:bob").tasks();
            Company.until("anna is asked", () -> anna.mine().stream().count() == 1);
            HumanTask task = anna.mine().stream().findFirst().orElseThrow();
            assertEquals(new TaskName(first, "review#1"), task.name());
            assertEquals(List.of("user:anna", "user:bob"), task.assignees());
            assertEquals(1, carl.tasks().of(first).stream().count());

            assertEquals(
                    Optional.of(false),
                    anna.claim(task.name(), Duration.ofMinutes(15)).settled());
            assertEquals(
                    Optional.of("user:anna"),
                    carl
                            .tasks()
                            .list(TaskFilter.ALL
                                    .withClaimedBy("user:anna")
                                    .withAssignee("user:anna")
                                    .withWorkflow("asks"))
                            .stream()
                            .findFirst()
                            .flatMap(HumanTask::claimedBy));
            refused("CONFLICT", () -> bob.claim(task.name(), Duration.ofMinutes(1)));
            anna.heartbeat(task.name(), Duration.ofMinutes(30));
            anna.release(task.name());
            anna.delegate(task.name(), "user:dora", "on leave");
            refused("NOT_ASSIGNED", () -> anna.decide(task.name(), Decision.of("approve")));
            carl.tasks().reassign(task.name(), List.of("user:erik"), "too big");
            assertTrue(carl.as("user:erik")
                    .tasks()
                    .decide(task.name(), Decision.of("approve").because("as agreed"))
                    .settled()
                    .orElseThrow());
            assertEquals(
                    Optional.of(ExecutionStatus.SUCCEEDED),
                    carl.executions().await(first, PATIENCE).map(Execution::status));

            String second = carl.executions().start(Start.of("asks")).executionId();
            Company.until("they are asked again", () -> bob.mine().stream().count() == 1);
            TaskName withdrawn = new TaskName(second, "review#1");
            HumanTasks once = carl.underKey("resolve-1").tasks();
            assertEquals(
                    Optional.of("reject"),
                    once.resolve(withdrawn, "reject", "withdrawn").outcome());
            assertEquals(
                    Optional.empty(),
                    once.resolve(withdrawn, "reject", "withdrawn").settled(),
                    "a repetition doesn't know");
        }
    }

    @Test
    void triggersAreMadeChangedFiredAndRemoved(House house) throws Exception {
        try (FlowstoneClient client = client(house, "client-triggers")) {
            publish(client, ECHO);
            Trigger made = client.triggers()
                    .create("echo", TriggerType.MANUAL, TriggerSpec.EMPTY.withCondition("trigger.n > 3"), "make-1");
            assertEquals(
                    made.id(),
                    client.triggers()
                            .create(
                                    "echo",
                                    TriggerType.MANUAL,
                                    TriggerSpec.EMPTY.withCondition("trigger.n > 3"),
                                    "make-1")
                            .id());
            assertEquals(made, client.triggers().get(made.id()));
            assertEquals(
                    412,
                    assertThrows(
                                    RefusedException.class,
                                    () -> client.triggers()
                                            .atRevision(made.revision() + 1)
                                            .disable(made.id()))
                            .status());
            assertTrue(client.triggers()
                    .atRevision(made.revision())
                    .enable(made.id())
                    .enabled());
            Optional<Map<String, Integer>> many = Optional.of(Map.of("n", 4));
            FiredTrigger fired = client.triggers().fire(made.id(), many, "fire-1");
            assertTrue(fired.created());
            FiredTrigger again = client.triggers().fire(made.id(), many, "fire-1");
            assertEquals(fired.executionId(), again.executionId());
            assertFalse(again.created());
            FiredTrigger few = client.triggers().fire(made.id(), Optional.of(Map.of("n", 1)));
            assertEquals(Optional.empty(), few.executionId());
            assertTrue(few.reason().isPresent());
            List<TriggerDelivery.Status> became = List.of(
                    TriggerDelivery.Status.IGNORED, TriggerDelivery.Status.REPEATED, TriggerDelivery.Status.STARTED);
            Company.until(
                    "what became of each is written down, behind the answers",
                    () -> client.triggers().deliveries(made.id()).stream()
                            .map(TriggerDelivery::status)
                            .toList()
                            .equals(became));

            assertEquals(
                    Optional.empty(),
                    client.triggers()
                            .change(made.id(), TriggerSpec.EMPTY.withCondition(""))
                            .activationCondition());
            assertFalse(client.triggers().disable(made.id()).on());
            refused("TRIGGER_DISABLED", () -> client.triggers().fire(made.id(), Optional.empty()));
            assertTrue(client.triggers().enable(made.id()).on());

            Trigger daily = client.triggers()
                    .create(
                            "echo",
                            TriggerType.SCHEDULE,
                            TriggerSpec.schedule("0 9 * * MON-FRI", "Europe/Berlin")
                                    .withEnabled(true));
            assertTrue(daily.nextFireAt().isPresent());
            assertEquals(
                    List.of(daily.id()),
                    client
                            .triggers()
                            .list(TriggerFilter.ALL
                                    .withType(TriggerType.SCHEDULE)
                                    .withWorkflow("echo")
                                    .withEnabled(true))
                            .stream()
                            .map(Trigger::id)
                            .toList());
            client.triggers().delete(daily.id());
            refused("TRIGGER_NOT_FOUND", () -> client.triggers().get(daily.id()));
        }
    }

    private static void poison(House house, String tenant, int letters) throws Exception {
        for (int i = 0; i < letters; i++) {
            PoisonMessage poison = new PoisonMessage(
                    new TenantId(tenant),
                    new DeadSource("client"),
                    "letter-" + i,
                    new Slot(7),
                    Optional.empty(),
                    DeadReason.POISON,
                    JsonObject.EMPTY,
                    "no");
            house.flowstone()
                    .ports()
                    .deadLetters()
                    .failed(poison, new DeadLetterConfig(true, "q", 0, Duration.ofHours(1)));
        }
    }

    @Test
    void deadLettersAreTriedAgainAndDiscarded(House house) throws Exception {
        String tenant = "client-dead";
        poison(house, tenant, 5);
        try (FlowstoneClient client = client(house, tenant)) {
            DeadLetterFilter dead = DeadLetterFilter.ALL
                    .withSource("client")
                    .withReason("POISON")
                    .withDead(true)
                    .withFailedBefore(Instant.now().plusSeconds(3_600));
            List<String> ids =
                    client.deadLetters().list(dead).stream().map(DeadLetter::id).toList();
            assertEquals(5, ids.size());
            client.deadLetters().requeue(ids.get(0), "whole again");
            DeadLetterStory story = client.deadLetters().get(ids.get(0));
            assertFalse(story.letter().dead());
            assertEquals("whole again", story.deeds().getFirst().comment());
            assertEquals("user:carl", story.deeds().getFirst().actor());
            assertEquals(new Swept(2, true), client.deadLetters().requeueAll(dead, 2, "all"));
            client.deadLetters().discard(ids.get(4), "old");
            refused("DEAD_LETTER_NOT_FOUND", () -> client.deadLetters().discard(ids.get(4), "old"));
            assertEquals(
                    new Swept(4, false),
                    client.deadLetters().discardAll(DeadLetterFilter.ALL.withSource("client"), 10, "rest"));
            assertEquals(
                    List.of(),
                    client.deadLetters().list(DeadLetterFilter.ALL).stream().toList());
        }
    }

    @Test
    void itsHealthIsTold(House house) {
        try (FlowstoneClient client = client(house, "client-health")) {
            assertTrue(client.health().isLive());
            assertTrue(client.health().isReady());
            Health.Vitals vitals = client.health().vitals();
            assertFalse(vitals.items().isEmpty());
            assertFalse(vitals.items().stream().anyMatch(it -> it.status() == Health.Mark.UNKNOWN));
        }
    }
}
