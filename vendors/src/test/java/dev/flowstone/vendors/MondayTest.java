package dev.flowstone.vendors;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonPointer;
import dev.flowstone.vendors.standin.MondayStandIn;
import dev.flowstone.vendors.standin.Reply;
import dev.flowstone.vendors.standin.Trouble;
import java.time.Duration;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** What each action does at Monday. */
final class MondayTest extends AtVendors {
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
}
