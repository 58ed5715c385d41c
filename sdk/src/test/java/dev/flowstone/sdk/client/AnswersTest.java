package dev.flowstone.sdk.client;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.sdk.client.RefusedException.Category;
import java.io.IOException;
import java.net.URI;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.JsonNodeFactory;

/** What a client makes of answers: of newer servers, of others than Flowstone, of hostile ones. */
final class AnswersTest {
    private static final String EXECUTION = """
            {"executionId": "e-1", "workflowId": "order", "workflowVersion": 3, "status": "Succeeded",
             "startTime": "2026-11-27T23:05:00Z", "endTime": null, "lastSeq": 9, "requestId": "r",
             "output": {"order": "7", "paid": 120}, "subject": {"kind": "invoice", "id": "7", "version": 3, "exclusive": true}}""";

    private final PaperApi server;

    AnswersTest() throws IOException {
        server = new PaperApi();
    }

    @AfterEach
    void close() {
        server.close();
    }

    /** What comes of an order. */
    record Receipt(String order, int paid) {}

    @Test
    void outputsBecomeRecordsOfTheCaller() {
        server.says(200, EXECUTION);
        try (FlowstoneClient client = server.client().build()) {
            Execution execution = client.executions().get("e-1");

            assertEquals(new Receipt("7", 120), client.read(execution.output(), Receipt.class));
            assertEquals(
                    Optional.of(new Subject("invoice", "7", 3, true)),
                    execution.summary().subject());
            assertEquals(Optional.empty(), execution.summary().endTime());
            assertTrue(execution.trigger().isNull());
            IllegalArgumentException wrong = assertThrows(
                    IllegalArgumentException.class,
                    () -> client.read(
                            JsonMapper.shared().readTree("{\"order\": \"7\", \"paid\": \"much\"}"), Receipt.class));
            assertTrue(wrong.toString().contains("it is no Receipt at '/paid'"), wrong.toString());
            assertThrows(
                    IllegalArgumentException.class,
                    () -> client.read(JsonNodeFactory.instance.nullNode(), Receipt.class));
        }
    }

    @Test
    void whatANewerServerSaysIsLeftAsideAndKept() {
        server.says(200, EXECUTION.replace("\"Succeeded\"", "\"Dreaming\", \"mood\": {\"deep\": [1]}"));
        try (FlowstoneClient client = server.client().build()) {
            Execution execution = client.executions().get("e-1");

            assertEquals(ExecutionStatus.UNKNOWN, execution.status());
            assertFalse(execution.status().isOver());
            assertEquals(1, execution.json().at("/mood/deep/0").asInt());
        }
    }

    @Test
    void aRefusalSaysWhatWhereAndWhatToDo() {
        server.says(400, PaperApi.problem(400, "WFENG005", "permanent", """
                , "faults": [{"code": "UNKNOWN_NODE", "pointer": "/nodes/0/edges/1/targetNode", "line": 12, "column": 25,
                  "message": "no node is named 'C1'", "remedy": "did you mean 'C'?"}], "missingActions": ["a.b"]"""));
        try (FlowstoneClient client = server.client().build()) {
            RefusedException refused = assertThrows(
                    RefusedException.class, () -> client.workflows().save(JsonNodeFactory.instance.objectNode()));

            assertEquals("WFENG005", refused.code());
            assertEquals(Category.PERMANENT, refused.category());
            assertFalse(refused.isRetryable());
            assertEquals(Optional.of("c-1"), refused.correlationId());
            assertEquals("did you mean 'C'?", refused.remedy());
            assertEquals(
                    List.of(new Fault(
                            "UNKNOWN_NODE",
                            "/nodes/0/edges/1/targetNode",
                            12,
                            25,
                            "no node is named 'C1'",
                            "did you mean 'C'?")),
                    refused.faults());
            assertEquals("a.b", refused.problem().at("/missingActions/0").asString());
            assertEquals(
                    "POST /api/v1/workflows: WFENG005: so it is; /nodes/0/edges/1/targetNode: no node is named 'C1';"
                            + " did you mean 'C'?",
                    refused.getMessage());
        }
    }

    @Test
    void whatIsNoFlowstoneIsSaidSo() {
        server.says(404, "<html>not here</html>")
                .says(403, "{\"code\": 7, \"faults\": \"none\"}")
                .says(200, "<html>welcome</html>")
                .says(302, "", "Location", "http://elsewhere.example/login");
        try (FlowstoneClient client = server.client().build()) {
            RefusedException page = assertThrows(
                    RefusedException.class, () -> client.executions().get("e-1"));
            assertEquals("HTTP_404", page.code());
            assertTrue(page.getMessage().contains("it isn't Flowstone that says so"), page.getMessage());
            RefusedException other = assertThrows(
                    RefusedException.class, () -> client.executions().get("e-1"));
            assertEquals("HTTP_403", other.code());
            UnreadableAnswerException html = assertThrows(
                    UnreadableAnswerException.class, () -> client.executions().get("e-1"));
            assertTrue(html.getMessage().contains("is no JSON"), html.getMessage());
            UnreadableAnswerException moved = assertThrows(
                    UnreadableAnswerException.class, () -> client.executions().get("e-1"));
            assertTrue(moved.getMessage().contains("http://elsewhere.example/login"), moved.getMessage());
            assertEquals(4, server.asked().size());
        }
    }

    @ParameterizedTest
    @ValueSource(
            strings = {
                "[]",
                "7",
                "",
                "{}",
                "{\"executionId\": 5}",
                "{\"executionId\": \"\"}",
                "{\"executionId\": \"e\", \"startTime\": \"yesterday\"}",
                "{\"executionId\": \"e\", \"startTime\": \"2026-11-27T23:05:00Z\", \"workflowVersion\": 99999999999}",
                "{\"executionId\": \"e\", \"startTime\": \"2026-11-27T23:05:00Z\", \"lastSeq\": 1.5}",
                "{\"executionId\": \"e\", \"startTime\": \"2026-11-27T23:05:00Z\", \"subject\": [1]}"
            })
    void whatIsNoExecutionIsUnreadable(String body) {
        server.says(200, body);
        try (FlowstoneClient client = server.client().build()) {
            UnreadableAnswerException unreadable = assertThrows(
                    UnreadableAnswerException.class, () -> client.executions().get("e-1"));
            assertEquals("ANSWER_UNREADABLE", unreadable.code());
            assertFalse(unreadable.isRetryable());
        }
    }

    @Test
    void thePlaceOfWhatIsWrongIsNamed() {
        server.says(200, "{\"items\": [{\"id\": \"a\", \"deeds\": []}, {\"id\": 8}], \"next\": null}");
        try (FlowstoneClient client = server.client().build()) {
            UnreadableAnswerException unreadable = assertThrows(
                    UnreadableAnswerException.class,
                    () -> client.deadLetters().list(DeadLetterFilter.ALL).page(10));
            assertTrue(
                    unreadable.getMessage().contains("at '/items/1/id' there must be a text"), unreadable.getMessage());
        }
    }

    @Test
    void aHostileAnswerTakesNeitherMemoryNorPatience() {
        server.says(200, " ".repeat(5_000))
                .says(200, "[".repeat(2_000))
                .says(500, PaperApi.problem(500, "X".repeat(1_500), "retryable", ", \"retryAfterSeconds\": -5"))
                .says(200, "{\"items\": [], \"next\": \"again\"}");
        try (FlowstoneClient client = server.client().mostBytes(2_048).build()) {
            UnreadableAnswerException large = assertThrows(
                    UnreadableAnswerException.class, () -> client.executions().get("e-1"));
            assertTrue(large.getMessage().contains("more than 2048 bytes"), large.getMessage());
            assertThrows(
                    UnreadableAnswerException.class, () -> client.executions().get("e-1"));
            RefusedException long500 = assertThrows(
                    RefusedException.class, () -> client.executions().get("e-1"));
            assertTrue(long500.getMessage().length() < 1_200);
            assertEquals(Optional.empty(), long500.retryAfter());
            UnreadableAnswerException circle = assertThrows(
                    UnreadableAnswerException.class,
                    () -> client.executions().list(ExecutionFilter.ALL).stream().count());
            assertTrue(circle.getMessage().contains("leads to itself"), circle.getMessage());
        }
    }

    @Test
    void pagesAreReadAsFarAsTheyAreWanted() {
        String item = EXECUTION;
        server.says(200, "{\"items\": [%s, %s], \"next\": \"p 2\"}".formatted(item, item))
                .says(200, "{\"items\": [], \"next\": \"p3\"}")
                .says(200, "{\"items\": [%s], \"next\": null}".formatted(item));
        try (FlowstoneClient client = server.client().build()) {
            Listing<ExecutionSummary> list = client.executions()
                    .list(ExecutionFilter.ALL.withWorkflow("order").withStatus(ExecutionStatus.FAILED));
            assertEquals(List.of(), server.asked());
            assertEquals(1, list.stream().limit(1).count());
            assertEquals(1, server.asked().size());
            assertEquals(
                    "/api/v1/executions?workflowId=order&status=Failed&limit=50",
                    server.asked().getFirst().path());
        }
    }

    @Test
    void emptyPagesAreNoEnd() {
        server.says(200, "{\"items\": [], \"next\": \"p 2&x\"}")
                .says(200, "{\"items\": [%s], \"next\": null}".formatted(EXECUTION));
        try (FlowstoneClient client = server.client().build()) {
            assertEquals(
                    1, client.executions().list(ExecutionFilter.ALL).stream().count());
            assertEquals(
                    "/api/v1/executions?limit=50&cursor=p%202%26x",
                    server.asked().getLast().path());
        }
    }

    @Test
    void namesLeadNowhereElse() {
        server.says(404, PaperApi.problem(404, "WORKFLOW_NOT_FOUND", "permanent", ""));
        try (FlowstoneClient client =
                FlowstoneClient.of(URI.create(server.address() + "/flow/")).build()) {
            assertThrows(RefusedException.class, () -> client.workflows().get("a/../b?c=d#e"));
            assertEquals(
                    "/flow/api/v1/workflows/a%2F..%2Fb%3Fc%3Dd%23e",
                    server.asked().getLast().path());
            assertThrows(
                    IllegalArgumentException.class, () -> client.workflows().get(".."));
            assertThrows(
                    IllegalArgumentException.class, () -> client.workflows().get(""));
            assertEquals(1, server.asked().size());
        }
    }

    @Test
    void whoCallsIsSaid() {
        server.says(200, "{\"items\": [], \"next\": null}");
        try (FlowstoneClient client = server.client()
                .tenant("acme")
                .principal("service:billing", "sales", "legal")
                .header("X-Proxy", "yes")
                .build()) {
            client.tasks().mine().page(1);
            client.as("user:anna").tasks().mine().page(1);

            PaperApi.Asked first = server.asked().getFirst();
            assertEquals("acme", first.header("Flowstone-tenant"));
            assertEquals("service:billing", first.header("Flowstone-principal"));
            assertEquals("sales,legal", first.header("Flowstone-roles"));
            PaperApi.Asked anna = server.asked().getLast();
            assertEquals("user:anna", anna.header("Flowstone-principal"));
            assertEquals("", anna.header("Flowstone-roles"));
            assertEquals("acme", anna.header("Flowstone-tenant"));
            assertEquals("yes", anna.header("X-proxy"));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"user:j\u00f6rg", "user:\u0100", "a\nb", " "})
    void whoCantBeSentAsHeIsCallsNobody(String principal) {
        try (FlowstoneClient client = server.client().build()) {
            assertThrows(IllegalArgumentException.class, () -> client.as(principal));
            assertThrows(IllegalArgumentException.class, () -> client.as("user:anna", principal));
        }
    }

    @ParameterizedTest
    @ValueSource(strings = {"s3cr3t\n", "s3cr3t\u00e9", "s3cr3t\u0100", "s3cr3t with blanks", ""})
    void aTokenThatIsNoneIsNotSaid(String token) {
        try (FlowstoneClient client = server.client().token(() -> token).build()) {
            IllegalStateException wrong = assertThrows(
                    IllegalStateException.class, () -> client.executions().get("e-1"));
            assertFalse(wrong.toString().contains("s3cr3t"));
        }
    }

    @Test
    void aTokenIsInNoMessage() {
        server.says(401, PaperApi.problem(401, "UNAUTHENTICATED", "policy_denied", ""));
        try (FlowstoneClient client = server.client().token(() -> "s3cr3t").build()) {
            RefusedException refused = assertThrows(
                    RefusedException.class, () -> client.executions().get("e-1"));
            assertFalse(refused.toString().contains("s3cr3t"));
            assertEquals("give a token that this server takes", refused.remedy());
        }
        assertFalse(new Identity(Optional.of(() -> "s3cr3t"), Map.of("X-Key", "s3cr3t"))
                .toString()
                .contains("s3cr3t"));
    }

    @ParameterizedTest
    @ValueSource(strings = {"ftp://x", "http://me:s3cr3t@x", "http://x?y=z", "http://x#y", "relative", "http:opaque"})
    void refusesWhatIsNoAddress(String address) {
        IllegalArgumentException wrong = assertThrows(
                IllegalArgumentException.class,
                () -> FlowstoneClient.of(URI.create(address)).build());
        assertFalse(wrong.toString().contains("s3cr3t"));
    }

    @Test
    void refusesHeadersThatCannotBeSent() {
        assertThrows(
                IllegalArgumentException.class,
                () -> server.client().tenant("a\r\nX: y").build());
        assertThrows(
                IllegalArgumentException.class,
                () -> server.client().header("Authorization", "Bearer x").build());
        assertThrows(IllegalArgumentException.class, () -> RetryPolicy.DEFAULT.withAttempts(0));
    }
}
