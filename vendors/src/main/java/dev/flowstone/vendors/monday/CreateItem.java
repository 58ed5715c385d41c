package dev.flowstone.vendors.monday;

import dev.flowstone.action.Action;
import dev.flowstone.action.ActionContext;
import dev.flowstone.action.ActionFailure;
import dev.flowstone.action.ActionResult;
import dev.flowstone.action.ActionSpec;
import dev.flowstone.action.FailureKind;
import dev.flowstone.action.Param;
import dev.flowstone.action.ParameterFault;
import dev.flowstone.action.ResourceLink;
import dev.flowstone.vendors.monday.CreateItem.Created;
import dev.flowstone.vendors.monday.CreateItem.Parameters;
import dev.flowstone.vendors.web.Calls;
import dev.flowstone.vendors.web.Fault;
import dev.flowstone.vendors.web.Ids;
import dev.flowstone.vendors.web.Made;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * {@code monday.create-item}: makes an item. Monday drops no repetitions: with a column that holds the item's reference a repetition finds its own; without,
 * an attempt of which nobody knows whether it made one is the last.
 */
final class CreateItem implements Action<Parameters, Created> {
    private static final String BY_REFERENCE = "query ($board: ID!, $columns: [ItemsPageByColumnValuesQuery!]) "
            + "{ items_page_by_column_values(limit: 1, board_id: $board, columns: $columns) { items { id url } } }";
    private static final String CREATE = "mutation ($board: ID!, $group: String, $name: String!, $values: JSON) {"
            + " create_item(board_id: $board, group_id: $group, item_name: $name, column_values: $values) { id url } }";

    private final MondayApi api;

    CreateItem(MondayApi api) {
        this.api = api;
    }

    record Parameters(
            @Param("the board's id") JsonNode boardId,

            @Param(value = "the item's name", minLength = 1, maxLength = 255)
            String name,

            @Param(value = "the id of the group that it is put into", minLength = 1, maxLength = 255)
            Optional<String> groupId,

            @Param("values by the titles or ids of their columns: a text or a number, or as Monday's API has it")
            Optional<Map<String, JsonNode>> columns,

            @Param(
                    value =
                            "by which it is known on this board: executions with the same one make one item, unless they run at"
                                    + " once",
                    minLength = 1,
                    maxLength = 150)
            Optional<String> reference,

            @Param(
                    value = "the title or id of a text column that holds the reference; a repetition looks there",
                    minLength = 1,
                    maxLength = 255)
            Optional<String> referenceColumn) {}

    record Created(
            String itemId,
            @Param("where people see it") String url,
            @Param("whether this attempt made it") boolean isNew) {}

    @Override
    public ActionSpec<Parameters, Created> spec() {
        return ActionSpec.of("monday.create-item", Parameters.class, Created.class)
                .described("Create item", "Makes an item on a board.")
                .category("Data", "board", "item", "create")
                .build();
    }

    @Override
    public List<ParameterFault> check(Parameters wanted) {
        List<ParameterFault> faults = new ArrayList<>(Ids.check("/boardId", wanted.boardId()));
        if (wanted.columns().orElse(Map.of()).size() > UpdateItem.MOST_COLUMNS) {
            faults.add(new ParameterFault("/columns", "there are at most " + UpdateItem.MOST_COLUMNS));
        }
        faults.addAll(Made.check(Ids.text(wanted.boardId()), wanted.reference()));
        return faults;
    }

    @Override
    public ActionResult<Created> run(Parameters wanted, ActionContext context)
            throws ActionFailure, InterruptedException {
        String board = Ids.text(wanted.boardId());
        Made made = Made.by(context, "monday", "item", board, wanted.reference());
        Optional<ResourceLink> linked = made.find(context);
        if (linked.isPresent()) {
            ResourceLink link = linked.get();
            return ActionResult.succeeded(new Created(link.id(), link.url().orElse(""), false), link);
        }
        MondayApi.Attempt monday = api.attempt(context);
        boolean named = wanted.referenceColumn().isPresent()
                || !wanted.columns().orElse(Map.of()).isEmpty();
        Optional<Board> columns = named ? Optional.of(Board.read(monday, board)) : Optional.empty();
        if (wanted.referenceColumn().isEmpty()) {
            return done(createdOnce(monday, variables(wanted, columns, Map.of())), made, true);
        }
        Column holding = holding(columns.orElseThrow(), wanted.referenceColumn().get());
        Optional<JsonNode> before = find(monday, board, holding, made.marker());
        if (before.isPresent()) {
            return done(before.get(), made, false);
        }
        Map<String, String> own = Map.of(holding.id(), made.marker());
        return done(created(monday, variables(wanted, columns, own)), made, true);
    }

    private static Column holding(Board board, String called) throws ActionFailure {
        Column holding = board.column(called);
        if (!holding.type().equals("text")) {
            throw Fault.REFUSED.at(
                    MondayApi.MONDAY,
                    "the column '" + holding.title() + "' can't hold a reference: it is no text column");
        }
        return holding;
    }

    private static ActionResult<Created> done(JsonNode item, Made made, boolean isNew) throws ActionFailure {
        String id = MondayApi.MONDAY.told(item, "id");
        String url = item.path("url").asString("");
        return ActionResult.succeeded(
                new Created(id, url, isNew), made.link(id, Optional.of(url).filter(it -> !it.isEmpty())));
    }

    private static Optional<JsonNode> find(MondayApi.Attempt monday, String board, Column holding, String reference)
            throws ActionFailure, InterruptedException {
        ObjectNode variables = MondayApi.object().put("board", board);
        variables
                .putArray("columns")
                .addObject()
                .put("column_id", holding.id())
                .putArray("column_values")
                .add(reference);
        JsonNode items = monday.ask(BY_REFERENCE, variables)
                .path("items_page_by_column_values")
                .path("items");
        return items.isEmpty() ? Optional.empty() : Optional.of(items.get(0));
    }

    private static JsonNode created(MondayApi.Attempt monday, ObjectNode variables)
            throws ActionFailure, InterruptedException {
        return monday.change(CREATE, "create_item", variables);
    }

    /** Whose repetition could make another one: so there is none, unless it is known that nothing was made. */
    private static JsonNode createdOnce(MondayApi.Attempt monday, ObjectNode variables)
            throws ActionFailure, InterruptedException {
        try {
            return created(monday, variables);
        } catch (ActionFailure e) {
            ActionResult.Failed<?> failed = e.result();
            boolean again = failed.kind() == FailureKind.RETRIABLE || failed.kind() == FailureKind.EXTERNAL_LIMIT;
            if (again && Boolean.TRUE.equals(failed.details().get(Calls.MAY_BE_DONE))) {
                throw new ActionFailure(ActionResult.failed(
                                "VENDOR_OUTCOME_UNKNOWN",
                                "the item may have been made, and trying again could make another one: look at the"
                                        + " board; with a referenceColumn such an attempt can be tried again ("
                                        + failed.message() + ")")
                        .with(failed.details()));
            }
            throw e;
        }
    }

    /** With what is its own last: a reference that the author puts into the same column doesn't count. */
    private static ObjectNode variables(Parameters wanted, Optional<Board> columns, Map<String, String> own)
            throws ActionFailure {
        ObjectNode variables =
                MondayApi.object().put("board", Ids.text(wanted.boardId())).put("name", wanted.name());
        wanted.groupId().ifPresent(group -> variables.put("group", group));
        if (columns.isPresent()) {
            variables.put(
                    "values", ColumnValues.of(columns.get(), wanted.columns().orElse(Map.of()), own));
        }
        return variables;
    }
}
