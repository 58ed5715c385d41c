package dev.flowstone.vendors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.command.FailureClass;
import dev.flowstone.vendors.standin.Trouble;
import java.time.Duration;
import java.time.Instant;
import org.junit.jupiter.api.Test;

/** What each action does at Slack. */
final class SlackTest extends AtVendors {
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
}
