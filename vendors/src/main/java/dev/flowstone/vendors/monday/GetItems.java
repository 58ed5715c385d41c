package dev.flowstone.vendors.monday;

import dev.flowstone.action.Action;
import dev.flowstone.action.ActionContext;
import dev.flowstone.action.ActionFailure;
import dev.flowstone.action.ActionResult;
import dev.flowstone.action.ActionSpec;
import dev.flowstone.action.Param;
import dev.flowstone.action.ParameterFault;
import dev.flowstone.vendors.monday.GetItems.Found;
import dev.flowstone.vendors.monday.GetItems.Parameters;
import dev.flowstone.vendors.web.Ids;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code monday.get-items}: items of a board, each with its columns by their titles. */
final class GetItems implements Action<Parameters, Found> {
    private static final int USUAL = 100;
    private static final String ITEMS = "cursor items { id name url column_values { text column { title } } }";
    private static final String FIRST = "query ($boards: [ID!], $limit: Int!, $params: ItemsQuery) "
            + "{ boards(ids: $boards) { items_page(limit: $limit, query_params: $params) { " + ITEMS + " } } }";
    private static final String NEXT = "query ($limit: Int!, $cursor: String!) "
            + "{ next_items_page(limit: $limit, cursor: $cursor) { " + ITEMS + " } }";

    private final MondayApi api;

    GetItems(MondayApi api) {
        this.api = api;
    }

    record Parameters(
            @Param("the board's id") JsonNode boardId,
            @Param("which items; all unless said") Optional<Filter> filter,

            @Param(value = "how many at most; 100 unless said", min = 1, max = 500)
            Optional<Integer> limit,

            @Param(
                    value = "the cursor of the items after which these come; the filter is that of the first",
                    minLength = 1,
                    maxLength = 5_000)
            Optional<String> cursor) {}

    record Found(
            @Param("each with id, Name, url, and the text of each column by its title")
            List<ObjectNode> items,

            @Param("by which there are more; absent at the end, and for an hour alone")
            Optional<String> cursor) {}

    @Override
    public ActionSpec<Parameters, Found> spec() {
        return ActionSpec.of("monday.get-items", Parameters.class, Found.class)
                .described("Get items", "Finds items of a board by what their columns say.")
                .category("Data", "board", "item", "query")
                .build();
    }

    @Override
    public List<ParameterFault> check(Parameters wanted) {
        List<ParameterFault> faults = new ArrayList<>(Ids.check("/boardId", wanted.boardId()));
        List<Filter.Rule> rules = wanted.filter().map(Filter::rules).orElse(List.of());
        for (int i = 0; i < rules.size(); i++) {
            Filter.Rule rule = rules.get(i);
            if (rule.operator().takesValue == rule.text().isEmpty()) {
                faults.add(new ParameterFault(
                        "/filter/rules/" + i + "/value",
                        rule.operator().takesValue ? "it is a text or a number" : "this operator takes none"));
            }
        }
        return faults;
    }

    @Override
    public ActionResult<Found> run(Parameters wanted, ActionContext context)
            throws ActionFailure, InterruptedException {
        MondayApi.Attempt monday = api.attempt(context);
        JsonNode page = wanted.cursor().isPresent()
                ? next(monday, wanted, wanted.cursor().get())
                : first(monday, wanted);
        List<ObjectNode> items = new ArrayList<>();
        page.path("items").forEach(item -> items.add(item(item)));
        return ActionResult.succeeded(
                new Found(items, Optional.of(page.path("cursor").asString("")).filter(next -> !next.isEmpty())));
    }

    private static JsonNode first(MondayApi.Attempt monday, Parameters wanted)
            throws ActionFailure, InterruptedException {
        String board = Ids.text(wanted.boardId());
        ObjectNode variables =
                Board.variables(board).put("limit", wanted.limit().orElse(USUAL));
        Optional<Filter> filter = wanted.filter().filter(it -> !it.rules().isEmpty());
        if (filter.isPresent()) {
            Optional<Board> columns =
                    ItemsQuery.needsColumns(filter.get()) ? Optional.of(Board.read(monday, board)) : Optional.empty();
            variables.set("params", ItemsQuery.of(filter.get(), columns));
        }
        return Board.one(monday.ask(FIRST, variables), board).path("items_page");
    }

    private static JsonNode next(MondayApi.Attempt monday, Parameters wanted, String cursor)
            throws ActionFailure, InterruptedException {
        ObjectNode variables =
                MondayApi.object().put("limit", wanted.limit().orElse(USUAL)).put("cursor", cursor);
        return monday.ask(NEXT, variables).path("next_items_page");
    }

    /** What every item has goes before a column of that title. */
    private static ObjectNode item(JsonNode found) {
        ObjectNode item = MondayApi.object();
        item.put("id", found.path("id").asString(""));
        item.put("Name", found.path("name").asString(""));
        item.put("url", found.path("url").asString(""));
        for (JsonNode value : found.path("column_values")) {
            String title = value.path("column").path("title").asString("");
            if (!item.has(title)) {
                item.put(title, value.path("text").asString(""));
            }
        }
        return item;
    }
}
