package dev.flowstone.vendors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonPointer;
import dev.flowstone.vendors.standin.Got;
import dev.flowstone.vendors.standin.MondayStandIn;
import dev.flowstone.vendors.standin.Reply;
import dev.flowstone.vendors.standin.StandIn;
import dev.flowstone.vendors.standin.Trouble;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What each action does at its vendor. */
final class ConnectorsTest {
    private Rig rig;

    /** Only {@link #open} fills the field. */
    @SuppressWarnings("NullAway.Init")
    ConnectorsTest() {}

    @BeforeEach
    void open() throws Exception {
        rig = new Rig();
    }

    @AfterEach
    void close() {
        rig.close();
    }

    private TaskResult slack(String action, String parameters) throws Exception {
        return rig.run("slack." + action, parameters);
    }

    private TaskResult monday(String action, String parameters) throws Exception {
        return rig.run("monday." + action, parameters);
    }

    private TaskResult confluence(String action, String parameters) throws Exception {
        return rig.run("confluence." + action, parameters);
    }

    @Test
    void everyCallSaysForWhomItIs() throws Exception {
        slack("post-message", "{\"channelId\": \"C1\", \"message\": \"Hi\"}");
        monday("get-items", "{\"boardId\": 42}");
        confluence("create-page", "{\"space\": \"PROJECTS\", \"title\": \"T\"}");
        for (List<Got> all : List.of(rig.slack.got(), rig.monday.got(), rig.confluence.got())) {
            for (Got got : all) {
                assertEquals("Bearer " + Rig.TOKEN, got.header("Authorization"));
                assertEquals("U123", got.header("X-Acting-User-Id"));
                assertEquals("j@example.com", got.header("X-Acting-User-Email"));
                assertEquals("J%C3%BCrgen", got.header("X-Acting-User-Name"));
                assertEquals("corr-1", got.header("X-Correlation-Id"));
                assertEquals(64, got.header("Idempotency-Key").length());
                assertTrue(got.header("traceparent").startsWith("00-4bf9"));
            }
        }
        assertEquals("2025-10", rig.monday.got().getFirst().header("API-Version"));
    }

    @Test
    void aWrongTokenIsDeniedInEachVendorsWords() throws Exception {
        for (String token : List.of("xoxb-wrong", "xoxb-\nwrong")) {
            try (Rig wrong = Rig.showing(token)) {
                for (TaskResult denied : List.of(
                        wrong.run("slack.list-channels", "{}"),
                        wrong.run("monday.get-items", "{\"boardId\": 42}"),
                        wrong.run("confluence.get-page", "{\"pageId\": 1}"))) {
                    assertEquals("VENDOR_UNAUTHENTICATED", Told.code(denied), denied::toString);
                    assertEquals(FailureClass.POLICY_DENIED, Told.failed(denied).failure());
                    assertFalse(Told.everything(denied).contains("wrong"), denied::toString);
                }
            }
        }
    }

    @Test
    void aReferencePostsOneMessageForAllExecutions() throws Exception {
        String parameters = "{\"channelId\": \"C456\", \"message\": \"Order 7\", \"reference\": \"order-7\"}";
        TaskResult first = rig.run("slack.post-message", parameters, "a", 1, Duration.ofSeconds(30));
        TaskResult linked = rig.run("slack.post-message", parameters, "b", 1, Duration.ofSeconds(30));
        assertEquals("true", Told.at(first, "/isNew"));
        assertEquals("false", Told.at(linked, "/isNew"));
        assertEquals(Told.at(first, "/ts"), Told.at(linked, "/ts"));
        assertEquals("C456", Told.at(linked, "/channelId"));
        assertEquals("slack/message", Told.ok(linked).links().getFirst().type());
        assertEquals(
                "acme/C456/order-7",
                rig.slack
                        .messages()
                        .getFirst()
                        .path("metadata")
                        .path("event_payload")
                        .path("key")
                        .asString());
        assertEquals(1, rig.slack.messages().size());
        TaskResult elsewhere =
                rig.run("slack.post-message", parameters.replace("C456", "C1"), "c", 1, Duration.ofSeconds(30));
        assertEquals("true", Told.at(elsewhere, "/isNew"), "a reference holds in its channel");
        assertEquals(
                "INVALID_PARAMETERS",
                Told.code(slack(
                        "post-message",
                        "{\"channelId\": \"" + "C".repeat(80) + "\", \"message\": \"Hi\", \"reference\": \""
                                + "r".repeat(120) + "\"}")));
    }

    @Test
    void aReferenceMakesOnePageInEachSpace() throws Exception {
        String parameters = "{\"space\": \"PROJECTS\", \"title\": \"%s\", \"reference\": \"order-7\"}";
        TaskResult first = confluence("create-page", parameters.formatted("One"));
        TaskResult same = confluence("create-page", parameters.formatted("Two"));
        assertEquals(Told.at(first, "/pageId"), Told.at(same, "/pageId"));
        TaskResult elsewhere =
                confluence("create-page", parameters.formatted("One").replace("PROJECTS", "OPS"));
        assertEquals("true", Told.at(elsewhere, "/isNew"));
        assertEquals(2, rig.confluence.pages().size());
    }

    /** A page may have fewer messages than were asked for. */
    @Test
    void aMessageWhoseAnswerGotLostIsFoundOnLaterPages() throws Exception {
        String parameters = "{\"channelId\": \"C1\", \"message\": \"Hi\"}";
        rig.slack.trouble(got -> got.path().equals("/chat.postMessage"), new Trouble.Lost());
        assertEquals("OUTBOUND_BROKEN", Told.code(slack("post-message", parameters)));
        rig.slack.well();
        for (int i = 0; i < 20; i++) {
            rig.slack.post("C1", "Something else");
        }
        rig.slack.pagesOf(2);
        assertEquals("false", Told.at(rig.again("slack.post-message", parameters), "/isNew"));
        assertEquals(21, rig.slack.messages().size());
    }

    @Test
    void inALongThreadOnlyWhatIsNewIsLookedThrough() throws Exception {
        String thread = rig.slack.post("C1", "Who?");
        String parameters = "{\"channelId\": \"C1\", \"message\": \"Me\", \"threadTs\": \"" + thread + "\"}";
        for (int i = 0; i < 1_100; i++) {
            rig.slack.reply("C1", thread, Instant.ofEpochSecond(1_503_435_956));
        }
        rig.slack.trouble(got -> got.path().equals("/chat.postMessage"), new Trouble.Lost());
        assertEquals("OUTBOUND_BROKEN", Told.code(slack("post-message", parameters)));
        rig.slack.well();
        assertEquals("false", Told.at(rig.again("slack.post-message", parameters), "/isNew"));

        String other = parameters.replace("Me", "Me too");
        for (int i = 0; i < 1_100; i++) {
            rig.slack.reply("C1", thread, Instant.now());
        }
        int before = rig.slack.messages().size();
        TaskResult unknown = rig.run("slack.post-message", other, "other", 2, Duration.ofSeconds(30));
        assertEquals("VENDOR_OUTCOME_UNKNOWN", Told.code(unknown));
        assertEquals(before, rig.slack.messages().size());
    }

    @Test
    void aReplyWhoseAnswerGotLostIsFoundInItsThread() throws Exception {
        String thread = rig.slack.post("C1", "Who?");
        String parameters = "{\"channelId\": \"C1\", \"message\": \"Me\", \"threadTs\": \"" + thread + "\"}";
        rig.slack.trouble(got -> got.path().equals("/chat.postMessage"), new Trouble.Lost());
        assertEquals("OUTBOUND_BROKEN", Told.code(slack("post-message", parameters)));
        rig.slack.well();
        assertEquals("false", Told.at(rig.again("slack.post-message", parameters), "/isNew"));
        assertEquals(2, rig.slack.messages().size());
    }

    @Test
    void whoMayNotLookDoesNotPostAgain() throws Exception {
        String parameters = "{\"channelId\": \"C1\", \"message\": \"Hi\"}";
        rig.slack.trouble(got -> got.path().equals("/chat.postMessage"), new Trouble.Lost());
        assertEquals("OUTBOUND_BROKEN", Told.code(slack("post-message", parameters)));
        rig.slack.well();
        rig.slack.revoke("channels:history");
        TaskResult denied = rig.again("slack.post-message", parameters);
        assertEquals("VENDOR_FORBIDDEN", Told.code(denied));
        assertTrue(Told.message(denied).contains("channels:history"), denied::toString);
        assertEquals(1, rig.slack.messages().size());
    }

    @Test
    void slacksWordsHaveTheirClasses() throws Exception {
        assertEquals(
                "VENDOR_NOT_FOUND", Told.code(slack("post-message", "{\"channelId\": \"C0\", \"message\": \"Hi\"}")));
        TaskResult archived = slack("post-message", "{\"channelId\": \"C9\", \"message\": \"Hi\"}");
        assertEquals("VENDOR_REFUSED", Told.code(archived));
        assertTrue(Told.message(archived).contains("is_archived"), archived::toString);
        TaskResult gone = slack("update-message", "{\"channelId\": \"C1\", \"ts\": \"1.2\", \"message\": \"Hi\"}");
        assertEquals("VENDOR_NOT_FOUND", Told.code(gone));
        rig.slack.revoke("chat:write");
        TaskResult scope = slack("post-message", "{\"channelId\": \"C1\", \"message\": \"Hi\"}");
        assertEquals(FailureClass.POLICY_DENIED, Told.failed(scope).failure());
        assertTrue(Told.message(scope).contains("chat:write"), scope::toString);
    }

    @Test
    void channelsAreListedPageByPage() throws Exception {
        TaskResult first =
                slack("list-channels", "{\"includePrivate\": true, \"includeArchived\": true, \"limit\": 3}");
        assertEquals("general", Told.at(first, "/channels/0/name"));
        assertEquals("true", Told.at(first, "/channels/2/isPrivate"));
        TaskResult rest = slack(
                "list-channels",
                "{\"includePrivate\": true, \"includeArchived\": true, \"cursor\": \"" + Told.at(first, "/nextCursor")
                        + "\"}");
        assertEquals("true", Told.at(rest, "/channels/0/isArchived"));
        TaskResult open = slack("list-channels", "{}");
        assertEquals("projects", Told.at(open, "/channels/1/name"));
        assertFalse(Told.everything(open).contains("board"), open::toString);
    }

    private String names(String filter) throws Exception {
        TaskResult found = monday("get-items", "{\"boardId\": \"42\", \"filter\": " + filter + "}");
        JsonArray items = (JsonArray)
                JsonPointer.parse("/items").find(Told.ok(found).output()).orElseThrow();
        return items.items().stream()
                .map(item -> Told.at(TaskResult.ok(item), "/Name"))
                .collect(Collectors.joining(" "));
    }

    @Test
    void itemsAreFoundByTitlesOfColumns() throws Exception {
        rig.monday.item("Apollo", "In Progress", "10");
        MondayStandIn.Item gemini = rig.monday.item("Gemini", "Approved", "25");
        rig.monday.item("Mercury", "", "");
        String rules = "{\"rules\": [{\"column\": \"%s\", \"operator\": \"%s\", \"value\": %s}]}";
        assertEquals("Apollo", names(rules.formatted("Status", "eq", "\"In Progress\"")));
        assertEquals("Apollo Mercury", names(rules.formatted("Status", "ne", "\"Approved\"")));
        assertEquals("Gemini", names(rules.formatted("Item ID", "eq", gemini.id())));
        assertEquals("Gemini Mercury", names(rules.formatted("Name", "contains", "\"e\"")));
        assertEquals("Gemini", names(rules.formatted("Budget", "gt", "10")));
        assertEquals("Apollo", names(rules.formatted("Budget", "eq", "10")));
        assertEquals(
                "Mercury",
                names("{\"rules\": [{\"column\": \"Owner\", \"operator\": \"notEmpty\"}, {\"column\":"
                        + " \"Status\", \"operator\": \"empty\"}], \"match\": \"any\"}"));
        assertEquals("Apollo Gemini Mercury", names("{\"rules\": []}"));
    }

    @Test
    void whatCannotBeAskedForIsSaid() throws Exception {
        String rules =
                "{\"boardId\": 42, \"filter\": {\"rules\": [{\"column\": \"%s\", \"operator\": \"%s\", \"value\":"
                        + " \"x\"}]}}";
        TaskResult noColumn = monday("get-items", rules.formatted("State", "eq"));
        assertEquals("VENDOR_NOT_FOUND", Told.code(noColumn));
        assertTrue(Told.message(noColumn).contains("'Status'"), noColumn::toString);
        assertEquals("VENDOR_NOT_FOUND", Told.code(monday("get-items", rules.formatted("Status", "eq"))));
        for (String[] unaskable :
                new String[][] {{"Owner", "eq"}, {"Status", "gt"}, {"Budget", "contains"}, {"Budget", "gt"}}) {
            TaskResult refused = monday("get-items", rules.formatted(unaskable[0], unaskable[1]));
            assertEquals("VENDOR_REFUSED", Told.code(refused), refused::toString);
        }
        assertEquals("VENDOR_NOT_FOUND", Told.code(monday("get-items", "{\"boardId\": 43}")));
        assertEquals("INVALID_PARAMETERS", Told.code(monday("get-items", "{\"boardId\": \"b\"}")));
        assertEquals("INVALID_PARAMETERS", Told.code(monday("get-items", rules.formatted("Status", "empty"))));
    }

    @Test
    void itemsComePageByPage() throws Exception {
        for (int i = 0; i < 3; i++) {
            rig.monday.item("Item " + i, "New", "");
        }
        TaskResult first = monday("get-items", "{\"boardId\": 42, \"limit\": 2}");
        assertEquals("Item 1", Told.at(first, "/items/1/Name"));
        TaskResult second = monday(
                "get-items", "{\"boardId\": 42, \"limit\": 2, \"cursor\": \"" + Told.at(first, "/cursor") + "\"}");
        assertEquals("Item 2", Told.at(second, "/items/0/Name"));
        assertEquals("New", Told.at(second, "/items/0/Status"));
    }

    @Test
    void anItemIsMadeAndChanged() throws Exception {
        String parameters =
                "{\"boardId\": 42, \"name\": \"Apollo\", \"columns\": {\"Status\": \"In Progress\", \"Budget\": 7,"
                        + " \"Reference\": \"other\", \"text_ref\": \"mine\"}, \"reference\": \"P-1\","
                        + " \"referenceColumn\": \"Reference\"}";
        TaskResult made = monday("create-item", parameters);
        MondayStandIn.Item item = rig.monday.items().getFirst();
        assertEquals(item.id(), Told.at(made, "/itemId"));
        assertEquals("In Progress", item.values().get("status_1"));
        assertEquals("7", item.values().get("numbers_1"));
        assertEquals("acme/42/P-1", item.values().get("text_ref"));
        assertEquals("mine", item.values().get("text_2"), "the title text_ref goes before the id");
        TaskResult again = rig.run("monday.create-item", parameters, "other", 1, Duration.ofSeconds(30));
        assertEquals("false", Told.at(again, "/isNew"));
        assertEquals(1, rig.monday.items().size());

        TaskResult updated = monday(
                "update-item",
                "{\"boardId\": 42, \"itemId\": \"" + item.id()
                        + "\", \"columns\": {\"Name\": \"Apollo 11\", \"status_1\": {\"label\": \"Approved\"}}}");
        assertEquals(item.id(), Told.at(updated, "/itemId"));
        assertEquals("Approved", item.values().get("status_1"));
        assertEquals("Apollo 11", item.values().get("name"));
        TaskResult refused = monday(
                "update-item", "{\"boardId\": 42, \"itemId\": " + item.id() + ", \"columns\": {\"Budget\": [1]}}");
        assertEquals("VENDOR_REFUSED", Told.code(refused));
        assertEquals(
                "VENDOR_REFUSED",
                Told.code(
                        monday("create-item", "{\"boardId\": 42, \"name\": \"X\", \"referenceColumn\": \"Status\"}")));
    }

    @Test
    void whatIsBeyondAVendorsRateWaitsAsLongAsItSays() throws Exception {
        String parameters = "{\"channelId\": \"C1\", \"message\": \"Hi\"}";
        rig.slack.limit(1);
        assertEquals("true", Told.at(slack("post-message", parameters), "/isNew"));
        TaskResult limited = rig.run("slack.post-message", parameters, "other", 1, Duration.ofSeconds(30));
        assertEquals(FailureClass.EXTERNAL_LIMIT, Told.failed(limited).failure());
        assertEquals(
                Optional.of(Duration.ofSeconds(StandIn.PAUSE)),
                Told.failed(limited).retryAfter());
        rig.slack.limit(2);
        TaskResult posted = rig.run("slack.post-message", parameters, "other", 2, Duration.ofSeconds(30));
        assertEquals("true", Told.at(posted, "/isNew"));
        assertEquals(2, rig.slack.messages().size());
    }

    @Test
    void anExhaustedBudgetSaysForHowLong() throws Exception {
        rig.monday.trouble(_ -> true, new Trouble.Answer(MondayStandIn.exhausted()));
        TaskResult limited = monday("get-items", "{\"boardId\": 42}");
        assertEquals("VENDOR_LIMIT", Told.code(limited));
        assertEquals(Optional.of(Duration.ofSeconds(39)), Told.failed(limited).retryAfter());
    }

    @Test
    void mondaysWordsHoldWhateverTheStatus() throws Exception {
        String error = "{\"errors\": [{\"message\": \"m\", \"extensions\": {\"code\": \"%s\"}}]}";
        rig.monday.trouble(_ -> true, new Trouble.Answer(Reply.json(429, error.formatted("x"))));
        TaskResult limited = monday("get-items", "{\"boardId\": 42}");
        assertEquals(Optional.of(Duration.ofMinutes(1)), Told.failed(limited).retryAfter());
        rig.monday.trouble(
                _ -> true, new Trouble.Answer(Reply.json(400, error.formatted("ResourceNotFoundException"))));
        assertEquals("VENDOR_NOT_FOUND", Told.code(monday("get-items", "{\"boardId\": 42}")));
        rig.monday.trouble(_ -> true, new Trouble.Answer(Reply.json(200, "{\"errors\": \"so it is\"}")));
        TaskResult text = monday("get-items", "{\"boardId\": 42}");
        assertEquals("VENDOR_REFUSED", Told.code(text));
        assertTrue(Told.message(text).contains("so it is"), text::toString);
        rig.monday.trouble(
                _ -> true,
                new Trouble.Answer(Reply.json(
                        200,
                        "{\"error_message\": null, \"errors\": [], \"data\": {\"boards\": [{\"items_page\": {\"items\":"
                                + " []}}]}}")));
        assertEquals("[]", Told.at(monday("get-items", "{\"boardId\": 42}"), "/items"));
    }

    @Test
    void anItemThatWasMadeBesideErrorsIsMade() throws Exception {
        String both = "{\"data\": {\"create_item\": %s}, \"errors\": [{\"message\": \"url is away\", \"extensions\":"
                + " {\"code\": \"SomeException\"}}]}";
        String parameters = "{\"boardId\": 42, \"name\": \"X\", \"reference\": \"P-2\"}";
        rig.monday.trouble(
                _ -> true, new Trouble.Answer(Reply.json(200, both.formatted("{\"id\": \"7\", \"url\": null}"))));
        TaskResult made = monday("create-item", parameters);
        assertEquals("7", Told.at(made, "/itemId"));
        rig.monday.well();
        assertEquals("false", Told.at(monday("create-item", parameters), "/isNew"), "it is linked");
        rig.monday.trouble(_ -> true, new Trouble.Answer(Reply.json(200, both.formatted("{\"url\": \"u\"}"))));
        TaskResult half = monday("create-item", "{\"boardId\": 42, \"name\": \"Y\"}");
        assertEquals("VENDOR_REFUSED", Told.code(half));
        assertEquals(
                Optional.of(JsonBoolean.TRUE),
                JsonPointer.parse("/mayBeDone").find(Told.failed(half).error().details()));
    }

    /** A cut before it is hidden leaves half of it. */
    @Test
    void aTokenAtTheEndOfLongWordsIsToldInNoPart() throws Exception {
        for (int before : List.of(78, 244, 248, 252)) {
            String said = "x".repeat(before) + " Authorization: Bearer " + Rig.TOKEN;
            String body = "{\"message\": \"%1$s\", \"error\": \"%1$s\", \"errors\": [{\"message\": \"%1$s\"}]}"
                    .formatted(said);
            Reply html = new Reply(200, "text/plain; x=" + "x".repeat(before) + Rig.TOKEN, "", Map.of());
            for (Reply reply : List.of(Reply.json(422, body), Reply.json(200, body), html)) {
                rig.slack.trouble(_ -> true, new Trouble.Answer(reply));
                rig.monday.trouble(_ -> true, new Trouble.Answer(reply));
                rig.confluence.trouble(_ -> true, new Trouble.Answer(reply));
                for (TaskResult failed : List.of(
                        slack("list-channels", "{}"),
                        monday("get-items", "{\"boardId\": 42}"),
                        confluence("create-page", "{\"space\": \"PROJECTS\", \"title\": \"T\"}"))) {
                    assertFalse(Told.everything(failed).contains("xoxb"), failed::toString);
                }
            }
        }
    }

    @Test
    void anAnswerWithoutAnIdIsNone() throws Exception {
        Trouble empty = new Trouble.Answer(Reply.json(200, "{\"ok\": true, \"data\": {\"create_item\": null}}"));
        rig.slack.trouble(_ -> true, empty);
        rig.monday.trouble(_ -> true, empty);
        rig.confluence.trouble(got -> got.method().equals("POST"), empty);
        for (TaskResult none : List.of(
                slack("post-message", "{\"channelId\": \"C1\", \"message\": \"Hi\"}"),
                monday("create-item", "{\"boardId\": 42, \"name\": \"X\"}"),
                confluence("create-page", "{\"space\": \"PROJECTS\", \"title\": \"T\"}"))) {
            assertEquals("VENDOR_ANSWER_UNREADABLE", Told.code(none), none::toString);
        }
    }

    @Test
    void aTitleThatSomebodyElseHasIsAConflict() throws Exception {
        String page = rig.confluence.page("Apollo", "<p>theirs</p>", "");
        TaskResult taken = confluence("create-page", "{\"space\": \"PROJECTS\", \"title\": \"Apollo\"}");
        assertEquals("VENDOR_CONFLICT", Told.code(taken));
        assertTrue(Told.message(taken).contains(page), taken::toString);
        assertEquals(
                "VENDOR_NOT_FOUND",
                Told.code(confluence("create-page", "{\"space\": \"NONE\", \"title\": \"Apollo\"}")));
    }

    @Test
    void aPageThatALateCallMakesIsFound() throws Exception {
        String parameters = "{\"space\": \"PROJECTS\", \"title\": \"Late\", \"body\": \"<p>x</p>\"}";
        rig.confluence.trouble(
                got -> got.method().equals("POST"),
                new Trouble.Meanwhile(() -> rig.confluence.page(
                        "Late", "<p>x</p>", rig.confluence.got().getLast().header("Idempotency-Key"))));
        TaskResult found = confluence("create-page", parameters);
        assertEquals("false", Told.at(found, "/isNew"));
        assertEquals(1, rig.confluence.pages().size());
    }

    @Test
    void aPageIsChangedOnceAndNotOverSomebodyElsesVersion() throws Exception {
        String page = rig.confluence.page("Apollo", "<p>one</p>", "");
        String parameters = "{\"pageId\": " + page + ", \"body\": \"<p>two</p>\", \"expectedVersion\": 1}";
        rig.confluence.trouble(got -> got.method().equals("PUT"), new Trouble.Lost());
        assertEquals("OUTBOUND_BROKEN", Told.code(confluence("update-page", parameters)));
        rig.confluence.well();
        assertEquals("2", Told.at(rig.again("confluence.update-page", parameters), "/version"));
        rig.confluence.change(page, "<p>three</p>");
        for (String any : List.of(parameters, parameters.replace(", \"expectedVersion\": 1", ""))) {
            TaskResult late = rig.again("confluence.update-page", any);
            assertEquals("2", Told.at(late, "/version"), "though somebody made another one since");
            assertEquals(page, Told.at(late, "/pageId"));
        }

        TaskResult stale = rig.run("confluence.update-page", parameters, "other", 1, Duration.ofSeconds(30));
        assertEquals("VENDOR_CONFLICT", Told.code(stale));
        TaskResult shown = confluence("get-page", "{\"space\": \"PROJECTS\", \"title\": \"Apollo\"}");
        assertEquals("<p>three</p>", Told.at(shown, "/body"));
        assertEquals("3", Told.at(shown, "/version"));
        assertEquals("https://wiki.example.com/display/PROJECTS/" + page, Told.at(shown, "/url"));
        assertEquals("VENDOR_NOT_FOUND", Told.code(confluence("get-page", "{\"pageId\": 1}")));
        assertEquals("INVALID_PARAMETERS", Told.code(confluence("get-page", "{\"title\": \"Apollo\"}")));
        assertEquals("INVALID_PARAMETERS", Told.code(confluence("update-page", "{\"pageId\": " + page + "}")));
    }

    @Test
    void aPageThatIsLargerThanAnAnswerIsMadeAndChanged() throws Exception {
        String large = "\u9801".repeat(400_000);
        TaskResult made = confluence(
                "create-page", "{\"space\": \"PROJECTS\", \"title\": \"Large\", \"body\": \"" + large + "\"}");
        String page = Told.at(made, "/pageId");
        assertEquals("https://wiki.example.com/display/PROJECTS/" + page, Told.at(made, "/url"));
        TaskResult changed =
                confluence("update-page", "{\"pageId\": " + page + ", \"title\": \"L\", \"body\": \"" + large + "\"}");
        assertEquals("2", Told.at(changed, "/version"));
    }

    @Test
    void aPrivateAddressIsRefusedUnlessTheInstallationAllowsIt() throws Exception {
        try (Rig closed = Rig.closed(true)) {
            TaskResult refused = closed.run("slack.post-message", "{\"channelId\": \"C1\", \"message\": \"Hi\"}");
            assertEquals("ADDRESS_REFUSED", Told.code(refused));
            assertEquals(FailureClass.PERMANENT, Told.failed(refused).failure());
            assertTrue(Told.message(refused).contains("outbound.allowedNetworks"), refused::toString);
            assertEquals(List.of(), closed.slack.got());
        }
        try (Rig unset = Rig.closed(false)) {
            TaskResult nowhere = unset.run("confluence.get-page", "{\"pageId\": 1}");
            assertEquals("VENDOR_NOT_CONFIGURED", Told.code(nowhere));
            assertTrue(Told.message(nowhere).contains("confluence.json"), nowhere::toString);
        }
    }

    @Test
    void whoIsSentElsewhereTellsSoAndGoesNowhere() throws Exception {
        for (int status : List.of(301, 302, 303, 307, 308)) {
            rig.slack.trouble(_ -> true, new Trouble.Redirect(status, rig.confluence.url() + "/rest/api/content"));
            rig.monday.trouble(_ -> true, new Trouble.Redirect(status, rig.monday.url()));
            for (TaskResult sent : List.of(
                    slack("list-channels", "{}"),
                    slack("post-message", "{\"channelId\": \"C1\", \"message\": \"Hi\"}"),
                    monday("get-items", "{\"boardId\": 42}"))) {
                assertEquals("VENDOR_REDIRECTED", Told.code(sent), sent::toString);
                assertEquals(FailureClass.PERMANENT, Told.failed(sent).failure());
            }
        }
        assertEquals(List.of(), rig.confluence.got());
        assertEquals(5, rig.monday.got().size());
    }
}
