package dev.flowstone.vendors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.vendors.standin.Got;
import dev.flowstone.vendors.standin.Reply;
import dev.flowstone.vendors.standin.StandIn;
import dev.flowstone.vendors.standin.Trouble;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** What all of them do at their vendors. */
final class ConnectorsTest extends AtVendors {
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
