package dev.flowstone.server.api;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.program.Quorum;
import dev.flowstone.server.api.RestFixture.Answer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/** What people are asked and what they answer, over HTTP. Each test has a tenant of its own, so that lists are small. */
final class HumanTaskTest {
    private static final String ROOT = "/api/v1/executions/";
    private static RestFixture rest;

    @BeforeAll
    static void serve() throws Exception {
        rest = new RestFixture();
    }

    @AfterAll
    static void stop() {
        rest.close();
    }

    /** One caller of a tenant. */
    private record Person(String tenant, String name, String roles) {
        String[] headers(String... more) {
            List<String> all =
                    new ArrayList<>(List.of("Flowstone-Tenant", tenant, "Flowstone-Principal", "user:" + name));
            if (!roles.isEmpty()) {
                all.addAll(List.of("Flowstone-Roles", roles));
            }
            all.addAll(List.of(more));
            return all.toArray(String[]::new);
        }

        Answer act(String run, String verb, String body, String... more) throws Exception {
            return rest.post(ROOT + run + "/tasks/review%231/" + verb, body, headers(more));
        }

        Answer get(String path) throws Exception {
            return rest.get(path, headers());
        }
    }

    private static Person person(String tenant, String name) {
        return new Person(tenant, name, "");
    }

    private static String asked(String tenant, Quorum quorum, String... parties) throws Exception {
        String run = rest.start(HumanPrograms.review("review", quorum, parties), tenant);
        rest.until(
                ROOT + run + "/tasks",
                answer -> count(answer) == 1,
                person(tenant, "x").headers());
        return run;
    }

    private static int count(Answer list) {
        return ((JsonArray) list.at("/items")).items().size();
    }

    private static void problem(Answer answer, int status, String code, String category) {
        assertEquals(status, answer.status(), answer::toString);
        assertEquals(code, answer.text("/code"), answer::toString);
        assertEquals(category, answer.text("/category"), answer::toString);
        assertEquals("application/problem+json", answer.header("Content-Type").orElseThrow());
    }

    @Test
    void aTaskIsListedClaimedDecidedAndGone() throws Exception {
        String run = asked("listed", new Quorum.One(), "user:anna", "role:legal");
        Person anna = person("listed", "anna");

        Answer list = anna.get("/api/v1/tasks?assignee=role:legal");
        assertEquals(run, list.text("/items/0/executionId"));
        assertEquals("review#1", list.text("/items/0/activation"));
        assertEquals("review", list.text("/items/0/request/node"));
        assertEquals("user:anna", list.text("/items/0/assignees/0"));
        assertEquals("approved", list.text("/items/0/outcomes/0"));
        assertEquals(0, count(anna.get("/api/v1/tasks?assignee=user:bob")));

        Answer claimed = anna.act(run, "claim", "{\"leaseSeconds\": 60}");
        assertEquals(200, claimed.status(), claimed::toString);
        assertEquals("TaskClaimed", claimed.text("/events/0"));
        assertEquals(1, count(anna.get("/api/v1/tasks?claimedBy=user:anna")));
        assertEquals(200, anna.act(run, "heartbeat", "").status());
        problem(person("listed", "bob").act(run, "heartbeat", ""), 409, "CONFLICT", "conflict");
        assertEquals(200, anna.act(run, "release", "").status());
        assertEquals(0, count(anna.get("/api/v1/tasks?claimedBy=user:anna")));

        Answer decided =
                anna.act(run, "decide", "{\"outcome\": \"approved\", \"rationale\": \"two lines\\nof reasons\"}");
        assertEquals(200, decided.status(), decided::toString);
        assertEquals("true", decided.at("/settled").toString().toLowerCase(Locale.ROOT));
        assertEquals("approved", decided.text("/outcome"));
        assertEquals(
                decided.at("/lastSeq").toString(),
                decided.header("Flowstone-Last-Seq").orElseThrow());
        assertTrue(decided.header("ETag").orElseThrow().matches("\"s[0-9]+\""));
        assertEquals(0, count(anna.get("/api/v1/tasks")));
        Answer timeline = rest.until(
                ROOT + run + "/timeline?limit=200",
                answer -> answer.response().body().contains("RunCompleted"),
                anna.headers());
        assertTrue(timeline.response().body().contains("\"auth_context_ref\":\"scope:tasks:write\""));
        assertTrue(timeline.response().body().contains("\"by\":\"user:anna\""));
    }

    @Test
    void approvalsShowASerialQuorumToWhoseTurnItIsOnly() throws Exception {
        String run = asked("serial", new Quorum.Serial(), "user:anna", "user:bob", "user:carl");
        Person anna = person("serial", "anna");
        Person bob = person("serial", "bob");

        Answer first = anna.get("/api/v1/approvals");
        assertEquals(1, count(first));
        assertEquals("user:anna", first.text("/items/0/assignees/0"));
        assertEquals("user:bob", first.text("/items/0/later/0"));
        assertEquals("user:carl", first.text("/items/0/later/1"));
        assertEquals(0, count(bob.get("/api/v1/approvals")), "it is not his turn");
        problem(bob.act(run, "decide", "{\"outcome\": \"approved\"}"), 403, "NOT_ASSIGNED", "policy_denied");

        assertEquals(200, anna.act(run, "decide", "{\"outcome\": \"approved\"}").status());
        assertEquals(0, count(anna.get("/api/v1/approvals")), "she has had her turn");
        assertEquals(1, count(bob.get("/api/v1/approvals")));
        assertEquals(0, count(person("serial", "carl").get("/api/v1/approvals")));
    }

    @Test
    void approvalsAreThoseThatTheCallerMayDecide() throws Exception {
        asked("approvals", new Quorum.One(), "user:anna", "role:legal");
        Person anna = person("approvals", "anna");
        Person lawyer = new Person("approvals", "luis", "sales, legal");

        assertEquals(1, count(anna.get("/api/v1/approvals")));
        assertEquals(1, count(lawyer.get("/api/v1/approvals")));
        assertEquals(0, count(person("approvals", "luis").get("/api/v1/approvals")));
        assertEquals(0, count(person("another-tenant", "anna").get("/api/v1/approvals")));

        String run = lawyer.get("/api/v1/approvals").text("/items/0/executionId");
        assertEquals(200, lawyer.act(run, "claim", "").status());
        assertEquals(1, count(lawyer.get("/api/v1/approvals")));
        assertEquals(0, count(anna.get("/api/v1/approvals")), "somebody else has claimed it");
    }

    @Test
    void whoIsNotAskedIsToldSo() throws Exception {
        String run = asked("not-asked", new Quorum.One(), "user:anna");
        Person bob = person("not-asked", "bob");

        problem(bob.act(run, "decide", "{\"outcome\": \"approved\"}"), 403, "NOT_ASSIGNED", "policy_denied");
        problem(bob.act(run, "claim", ""), 403, "NOT_ASSIGNED", "policy_denied");
        problem(
                bob.act(run, "delegate", "{\"from\": \"user:anna\", \"to\": \"user:bob\", \"reason\": \"mine\"}"),
                403,
                "NOT_ASSIGNED",
                "policy_denied");
        assertEquals(
                200,
                bob.act(run, "decide", "{\"outcome\": \"approved\", \"override\": true}")
                        .status());
    }

    @Test
    void aDecisionMayBeRepeatedAndNotReplaced() throws Exception {
        String run = asked("repeat", new Quorum.One(), "user:anna");
        Person anna = person("repeat", "anna");
        String yes = "{\"outcome\": \"approved\"}";
        String no = "{\"outcome\": \"rejected\"}";

        Answer first = anna.act(run, "decide", yes, "Idempotency-Key", "k-1");
        Answer again = anna.act(run, "decide", "{ \"outcome\" : \"approved\" }", "Idempotency-Key", "k-1");

        assertEquals(200, first.status(), first::toString);
        assertEquals(200, again.status(), again::toString);
        assertTrue(again.response().body().contains("\"repeated\":true"), again::toString);
        problem(anna.act(run, "decide", no, "Idempotency-Key", "k-1"), 409, "IDEMPOTENCY_KEY_REUSED", "conflict");
        problem(
                person("repeat", "bob").act(run, "decide", yes, "Idempotency-Key", "k-1"),
                409,
                "IDEMPOTENCY_KEY_REUSED",
                "conflict");
        assertEquals(200, anna.act(run, "decide", yes).status(), "the same decision without a key");
        problem(anna.act(run, "decide", no), 409, "CONFLICT", "conflict");
        problem(anna.act(run, "claim", ""), 409, "CONFLICT", "conflict");
    }

    @Test
    void aKeyBelongsToOneVerbOfOneTask() throws Exception {
        String run = asked("one-verb", new Quorum.One(), "user:anna");
        Person anna = person("one-verb", "anna");
        String body = "{\"leaseSeconds\": 60}";

        assertEquals(200, anna.act(run, "claim", body, "Idempotency-Key", "k-1").status());

        problem(anna.act(run, "heartbeat", body, "Idempotency-Key", "k-1"), 409, "IDEMPOTENCY_KEY_REUSED", "conflict");
        problem(
                rest.post(ROOT + run + "/tasks/review%232/claim", body, anna.headers("Idempotency-Key", "k-1")),
                409,
                "IDEMPOTENCY_KEY_REUSED",
                "conflict");
    }

    @Test
    void othersAreAskedInstead() throws Exception {
        String run = asked("instead", new Quorum.One(), "user:anna");
        Person anna = person("instead", "anna");
        Person bob = person("instead", "bob");

        assertEquals(
                200,
                anna.act(run, "delegate", "{\"to\": \"user:bob\", \"reason\": \"on leave\"}")
                        .status());
        assertEquals(1, count(bob.get("/api/v1/approvals")));
        assertEquals(
                200,
                bob.act(run, "reassign", "{\"to\": [\"user:carl\", \"role:board\"], \"reason\": \"too big\"}")
                        .status());
        assertEquals(0, count(bob.get("/api/v1/approvals")));
        assertEquals(1, count(new Person("instead", "dora", "board").get("/api/v1/approvals")));
        Answer resolved = bob.act(run, "resolve", "{\"outcome\": \"rejected\", \"reason\": \"withdrawn\"}");
        assertEquals("rejected", resolved.text("/outcome"), resolved::toString);
    }

    @Test
    void listsAreOfOneWorkflowAndOfWhatIsDueInTime() throws Exception {
        Person anna = person("narrowed", "anna");
        String due = rest.start(HumanPrograms.reminded("due", Duration.ofHours(1), "user:anna"), "narrowed");
        String free = rest.start(HumanPrograms.review("free", new Quorum.One(), "user:anna"), "narrowed");
        rest.until("/api/v1/tasks", answer -> count(answer) == 2, anna.headers());

        assertEquals(List.of(free), runs(anna.get("/api/v1/tasks?workflowId=free")));
        assertEquals(List.of(due), runs(anna.get("/api/v1/approvals?workflowId=due")));
        assertEquals(List.of(due), runs(anna.get("/api/v1/tasks?dueBefore=2100-01-01T00:00:00Z")));
        assertEquals(List.of(), runs(anna.get("/api/v1/tasks?dueBefore=2020-01-01T00:00:00Z")));
    }

    private static List<String> runs(Answer list) {
        List<String> runs = new ArrayList<>();
        for (int i = 0; i < count(list); i++) {
            runs.add(list.text("/items/" + i + "/executionId"));
        }
        return runs;
    }

    @Test
    void pagesOfTasksGoOnWhereTheyEnded() throws Exception {
        for (int i = 0; i < 5; i++) {
            rest.start(HumanPrograms.review("review", new Quorum.One(), "user:anna"), "paged");
        }
        Person anna = person("paged", "anna");
        rest.until("/api/v1/tasks", answer -> count(answer) == 5, anna.headers());

        List<String> seen = new ArrayList<>();
        Optional<String> next = Optional.of("");
        while (next.isPresent()) {
            Answer page = anna.get("/api/v1/tasks?limit=2&workflowId=review" + next.get());
            for (int i = 0; i < count(page); i++) {
                seen.add(page.text("/items/" + i + "/executionId"));
            }
            next = page.at("/next") instanceof JsonString(String cursor)
                    ? Optional.of("&after=" + cursor)
                    : Optional.empty();
        }

        assertEquals(5, seen.size());
        assertEquals(5, seen.stream().distinct().count());
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            claim     | {"leaseSeconds": 0}                             | 400 | INVALID_REQUEST | /leaseSeconds
            claim     | {"lease": 5}                                    | 400 | INVALID_REQUEST | /lease
            claim     | {"override": "yes"}                             | 400 | INVALID_REQUEST | /override
            heartbeat | {"override": true}                              | 400 | INVALID_REQUEST | /override
            decide    | {}                                              | 400 | INVALID_REQUEST | ``
            decide    | {"outcome": 5}                                  | 400 | INVALID_REQUEST | /outcome
            decide    | {"outcome": "maybe"}                            | 400 | INVALID_COMMAND | none
            decide    | {"outcome": "approved", "rationale": " "}       | 400 | INVALID_REQUEST | /rationale
            decide    | {"outcome": "approved", "subjectVersion": -1}   | 400 | INVALID_REQUEST | /subjectVersion
            decide    | {"outcome": "approved", "subjectVersion": 1}    | 409 | STALE_SUBJECT_VERSION | none
            delegate  | {"to": "user:bob"}                              | 400 | INVALID_REQUEST | ``
            delegate  | {"to": "bob", "reason": "x"}                    | 400 | INVALID_REQUEST | /to
            reassign  | {"to": [], "reason": "x"}                       | 400 | INVALID_REQUEST | /to
            reassign  | {"to": ["user:bob", "team:x"], "reason": "x"}   | 400 | INVALID_REQUEST | /to/1
            resolve   | {"outcome": "approved"}                         | 400 | INVALID_REQUEST | ``
            resolve   | [                                               | 400 | MALFORMED_JSON  | ``
            complete  | {"attempt": 1, "output": 1}                     | 409 | WFENG002        | none
            complete  | {"output": 1}                                   | 400 | INVALID_REQUEST | ``
            complete  | {"attempt": 0}                                  | 400 | INVALID_REQUEST | /attempt
            fail      | {"attempt": 1}                                  | 400 | INVALID_REQUEST | ``
            fail      | {"attempt": 1, "error": {"code": "X"}}          | 400 | INVALID_REQUEST | /error
            fail      | {"attempt": 1, "errorClass": "odd", "error": {"code": "X", "message": "m"}} | 400 | INVALID_REQUEST | /errorClass
            """)
    void whatIsNotMeantIsRefused(String verb, String body, int status, String code, String pointer) throws Exception {
        String run = asked("bad", new Quorum.One(), "user:anna");

        Answer answer = person("bad", "anna").act(run, verb, body);

        assertEquals(status, answer.status(), answer::toString);
        assertEquals(code, answer.text("/code"), answer::toString);
        if (!pointer.equals("none")) {
            assertEquals(pointer, answer.text("/faults/0/pointer"), answer::toString);
        }
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            review%239   | 404 | NOT_FOUND
            nothing%231  | 404 | NOT_FOUND
            review       | 404 | NOT_FOUND
            review%23x   | 404 | NOT_FOUND
            review%2301  | 404 | NOT_FOUND
            yes%231      | 409 | WFENG002
            """)
    void whatIsNoOpenTaskIsRefused(String activation, int status, String code) throws Exception {
        String run = asked("no-task", new Quorum.One(), "user:anna");

        Answer answer = rest.post(
                ROOT + run + "/tasks/" + activation + "/claim",
                "",
                person("no-task", "anna").headers());

        assertEquals(status, answer.status(), answer::toString);
        assertEquals(code, answer.text("/code"), answer::toString);
    }

    @ParameterizedTest
    @CsvSource(delimiter = '|', quoteCharacter = '`', textBlock = """
            /api/v1/tasks?assignee=anna
            /api/v1/tasks?dueBefore=tomorrow
            /api/v1/tasks?after=MQ
            /api/v1/tasks?limit=201
            /api/v1/tasks?claimant=x
            /api/v1/approvals?assignee=user:anna
            """)
    void listsRefuseWhatTheyDoNotKnow(String path) throws Exception {
        problem(rest.get(path), 400, "INVALID_REQUEST", "permanent");
    }

    @Test
    void whoCallsIsSaidInAFixedForm() throws Exception {
        problem(rest.get("/api/v1/tasks", "Flowstone-Principal", "anna"), 400, "INVALID_REQUEST", "permanent");
        problem(rest.get("/api/v1/tasks", "Flowstone-Principal", "engine:x"), 400, "INVALID_REQUEST", "permanent");
        problem(rest.get("/api/v1/tasks", "Flowstone-Roles", "a,,b"), 400, "INVALID_REQUEST", "permanent");
    }

    @Test
    void anotherTenantsRunIsNotThere() throws Exception {
        String run = asked("mine", new Quorum.One(), "user:anna");

        problem(
                person("theirs", "anna").act(run, "decide", "{\"outcome\": \"approved\"}"),
                404,
                "EXECUTION_NOT_FOUND",
                "permanent");
        problem(person("theirs", "anna").get(ROOT + run + "/tasks"), 404, "EXECUTION_NOT_FOUND", "permanent");
    }

    @Test
    void anAttestationThatNobodyAskedForIsNotThere() throws Exception {
        String run = asked("attest", new Quorum.One(), "user:anna");
        Person anna = person("attest", "anna");

        problem(
                rest.post(ROOT + run + "/attestations/a", "{\"statement\": \"done\"}", anna.headers()),
                404,
                "NOT_FOUND",
                "permanent");
        assertEquals(0, count(anna.get(ROOT + run + "/attestations")));
    }
}
