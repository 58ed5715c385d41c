package dev.flowstone.vendors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.vendors.standin.Trouble;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What each action does at Confluence. */
final class ConfluenceTest extends AtVendors {
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
}
