package dev.flowstone.vendors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonPointer;
import dev.flowstone.vendors.standin.Got;
import dev.flowstone.vendors.standin.StandIn;
import dev.flowstone.vendors.standin.Trouble;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Predicate;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestFactory;

/** Whatever befalls the call of an action: it ends in the right class, makes nothing twice, and its credential is told nowhere. */
final class FaultsTest {
    private static final Duration PATIENCE = Duration.ofSeconds(30);
    private static final Duration IMPATIENCE = Duration.ofMillis(400);

    /**
     * An action.
     *
     * @param call the request that does what it is for
     * @param made how many things there are
     * @param isNew whether it makes one
     */
    private record Case(
            String action,
            String parameters,
            Function<Rig, StandIn> vendor,
            Predicate<Got> call,
            Function<Rig, Integer> made,
            boolean isNew) {}

    /** A trouble, and what comes of it. */
    private record Fault(String name, Trouble trouble, FailureClass failure, String code) {
        boolean isDone() {
            return trouble instanceof Trouble.Lost
                    || trouble instanceof Trouble.CutOff
                    || trouble instanceof Trouble.DoneThen
                    || trouble instanceof Trouble.Late;
        }

        /** Whoever isn't told so by the vendor can't know. */
        boolean mayBeDone() {
            return !(trouble instanceof Trouble.Status(int status)) || status >= 500;
        }

        Duration patience() {
            return isSlow(trouble) ? IMPATIENCE : PATIENCE;
        }

        static boolean isSlow(Trouble trouble) {
            return trouble instanceof Trouble.Slow || trouble instanceof Trouble.Late;
        }
    }

    private static final List<Fault> FAULTS = List.of(
            new Fault("401", new Trouble.Status(401), FailureClass.POLICY_DENIED, "VENDOR_UNAUTHENTICATED"),
            new Fault("403", new Trouble.Status(403), FailureClass.POLICY_DENIED, "VENDOR_FORBIDDEN"),
            new Fault("404", new Trouble.Status(404), FailureClass.PERMANENT, "VENDOR_NOT_FOUND"),
            new Fault("409", new Trouble.Status(409), FailureClass.PERMANENT, "VENDOR_CONFLICT"),
            new Fault("422", new Trouble.Status(422), FailureClass.PERMANENT, "VENDOR_REFUSED"),
            new Fault("429", new Trouble.Status(429), FailureClass.EXTERNAL_LIMIT, "VENDOR_LIMIT"),
            new Fault("500", new Trouble.Status(500), FailureClass.RETRYABLE, "VENDOR_FAILED"),
            new Fault("503", new Trouble.Status(503), FailureClass.EXTERNAL_LIMIT, "VENDOR_LIMIT"),
            new Fault("done, then 500", new Trouble.DoneThen(500), FailureClass.RETRYABLE, "VENDOR_FAILED"),
            new Fault("done, then 503", new Trouble.DoneThen(503), FailureClass.EXTERNAL_LIMIT, "VENDOR_LIMIT"),
            new Fault("late", new Trouble.Late(), FailureClass.RETRYABLE, "OUTBOUND_TIMEOUT"),
            new Fault("slow", new Trouble.Slow(), FailureClass.RETRYABLE, "OUTBOUND_TIMEOUT"),
            new Fault("cut off", new Trouble.CutOff(), FailureClass.RETRYABLE, "OUTBOUND_BROKEN"),
            new Fault("lost", new Trouble.Lost(), FailureClass.RETRYABLE, "OUTBOUND_BROKEN"),
            new Fault("wrong type", new Trouble.WrongType(), FailureClass.PERMANENT, "VENDOR_ANSWER_UNREADABLE"));

    private static final Case CREATE_ITEM = new Case(
            "monday.create-item",
            "{\"boardId\": 42, \"name\": \"Apollo\", \"columns\": {\"Status\": \"Approved\"}, \"referenceColumn\":"
                    + " \"Reference\"}",
            rig -> rig.monday,
            document("create_item"),
            rig -> rig.monday.items().size(),
            true);

    private static List<Case> cases(Rig rig) {
        String ts = rig.slack.post("C1", "before");
        String item = rig.monday.item("Gemini", "In Progress", "1").id();
        String page = rig.confluence.page("Old", "<p>old</p>", "");
        return List.of(
                new Case(
                        "slack.post-message",
                        "{\"channelId\": \"C456\", \"message\": \"Hello\"}",
                        it -> it.slack,
                        path("/chat.postMessage"),
                        it -> it.slack.messages().size(),
                        true),
                new Case(
                        "slack.update-message",
                        "{\"channelId\": \"C1\", \"ts\": \"" + ts + "\", \"message\": \"after\"}",
                        it -> it.slack,
                        path("/chat.update"),
                        it -> it.slack.messages().size(),
                        false),
                new Case(
                        "slack.list-channels",
                        "{}",
                        it -> it.slack,
                        path("/conversations.list"),
                        it -> it.slack.messages().size(),
                        false),
                new Case(
                        "monday.get-items",
                        "{\"boardId\": \"42\"}",
                        it -> it.monday,
                        document("items_page("),
                        it -> it.monday.items().size(),
                        false),
                CREATE_ITEM,
                new Case(
                        "monday.update-item",
                        "{\"boardId\": 42, \"itemId\": " + item + ", \"columns\": {\"Status\": \"Approved\"}}",
                        it -> it.monday,
                        document("change_multiple"),
                        it -> it.monday.items().size(),
                        false),
                new Case(
                        "confluence.create-page",
                        "{\"space\": \"PROJECTS\", \"title\": \"Apollo\", \"body\": \"<p>go</p>\"}",
                        it -> it.confluence,
                        got -> got.method().equals("POST"),
                        it -> it.confluence.pages().size(),
                        true),
                new Case(
                        "confluence.update-page",
                        "{\"pageId\": " + page + ", \"body\": \"<p>new</p>\"}",
                        it -> it.confluence,
                        got -> got.method().equals("PUT"),
                        it -> it.confluence.pages().size(),
                        false),
                new Case(
                        "confluence.get-page",
                        "{\"pageId\": \"" + page + "\"}",
                        it -> it.confluence,
                        got -> got.method().equals("GET"),
                        it -> it.confluence.pages().size(),
                        false));
    }

    private static Predicate<Got> path(String path) {
        return got -> got.path().equals(path);
    }

    private static Predicate<Got> document(String part) {
        return got -> got.body().contains(part);
    }

    @TestFactory
    Stream<DynamicTest> everyFaultOfEveryActionEndsInItsClassAndARepetitionMakesNothingTwice() throws Exception {
        try (Rig rig = new Rig()) {
            // Only how many there are: each test has vendors of its own.
            int actions = cases(rig).size();
            return Stream.iterate(0, it -> it + 1)
                    .limit(actions)
                    .flatMap(action -> FAULTS.stream()
                            .map(fault ->
                                    DynamicTest.dynamicTest(action + " " + fault.name(), () -> fails(action, fault))));
        }
    }

    private static void fails(int number, Fault fault) throws Exception {
        try (Rig rig = new Rig()) {
            Case action = cases(rig).get(number);
            int before = action.made().apply(rig);
            StandIn vendor = action.vendor().apply(rig);
            vendor.trouble(action.call(), fault.trouble());

            TaskResult first = rig.run(action.action(), action.parameters(), "node", 1, fault.patience());

            String what = action.action() + ", " + fault.name() + ": " + first;
            TaskResult.Failed failed = Told.failed(first);
            assertEquals(fault.failure(), failed.failure(), what);
            assertEquals(fault.code(), failed.error().code(), what);
            assertEquals(
                    fault.failure() == FailureClass.EXTERNAL_LIMIT
                            ? Optional.of(Duration.ofSeconds(StandIn.PAUSE))
                            : Optional.empty(),
                    failed.retryAfter(),
                    what);
            assertEquals(
                    Optional.of(JsonBoolean.of(fault.mayBeDone())),
                    JsonPointer.parse("/mayBeDone").find(failed.error().details()),
                    what);
            assertFalse(Told.everything(first).contains("hunter2"), what);

            vendor.well();
            TaskResult second = rig.again(action.action(), action.parameters());

            int after = action.made().apply(rig) - before;
            assertEquals(action.isNew() ? 1 : 0, after, () -> what + ", then " + second);
            assertFalse(Told.everything(Told.ok(second)).contains("hunter2"), what);
            if (action.isNew()) {
                assertEquals(String.valueOf(!fault.isDone()), Told.at(second, "/isNew"), what);
                assertEquals(1, Told.ok(second).links().size());
            }
        }
    }

    @Test
    void anItemThatNothingTellsApartIsNotTriedAgainUnlessItWasSurelyNotMade() throws Exception {
        String parameters = "{\"boardId\": 42, \"name\": \"Apollo\"}";
        for (Trouble trouble : List.of(
                new Trouble.Lost(),
                new Trouble.CutOff(),
                new Trouble.Status(500),
                new Trouble.DoneThen(503),
                new Trouble.Late())) {
            try (Rig rig = new Rig()) {
                rig.monday.trouble(document("create_item"), trouble);
                TaskResult unknown = rig.run(
                        "monday.create-item", parameters, "node", 1, Fault.isSlow(trouble) ? IMPATIENCE : PATIENCE);
                assertEquals("VENDOR_OUTCOME_UNKNOWN", Told.code(unknown), unknown::toString);
                assertEquals(FailureClass.PERMANENT, Told.failed(unknown).failure());
                assertTrue(Told.message(unknown).contains("referenceColumn"), unknown::toString);
            }
        }
        try (Rig rig = new Rig()) {
            rig.monday.trouble(document("create_item"), new Trouble.Status(429));
            assertEquals("VENDOR_LIMIT", Told.code(rig.run("monday.create-item", parameters)));
            rig.monday.well();
            assertEquals("true", Told.at(rig.again("monday.create-item", parameters), "/isNew"));
            assertEquals(1, rig.monday.items().size());
        }
    }
}
