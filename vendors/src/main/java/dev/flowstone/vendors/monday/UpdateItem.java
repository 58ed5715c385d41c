package dev.flowstone.vendors.monday;

import dev.flowstone.action.Action;
import dev.flowstone.action.ActionContext;
import dev.flowstone.action.ActionFailure;
import dev.flowstone.action.ActionResult;
import dev.flowstone.action.ActionSpec;
import dev.flowstone.action.Param;
import dev.flowstone.action.ParameterFault;
import dev.flowstone.vendors.monday.UpdateItem.Parameters;
import dev.flowstone.vendors.monday.UpdateItem.Updated;
import dev.flowstone.vendors.web.Ids;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** {@code monday.update-item}: puts values into an item's columns; putting them there twice changes nothing. */
final class UpdateItem implements Action<Parameters, Updated> {
    static final int MOST_COLUMNS = 100;
    private static final String UPDATE = "mutation ($board: ID!, $item: ID!, $values: JSON!) "
            + "{ change_multiple_column_values(board_id: $board, item_id: $item, column_values: $values) { id url } }";

    private final MondayApi api;

    UpdateItem(MondayApi api) {
        this.api = api;
    }

    record Parameters(
            @Param("the board's id") JsonNode boardId,
            @Param("the item's id") JsonNode itemId,

            @Param("values by the titles or ids of their columns, Name among them: a text or a number, or as Monday's"
                    + " API has it")
            Map<String, JsonNode> columns) {}

    record Updated(
            String itemId, @Param("where people see it") String url) {}

    @Override
    public ActionSpec<Parameters, Updated> spec() {
        return ActionSpec.of("monday.update-item", Parameters.class, Updated.class)
                .described("Update item", "Changes what an item's columns say.")
                .category("Data", "board", "item", "update")
                .build();
    }

    @Override
    public List<ParameterFault> check(Parameters wanted) {
        List<ParameterFault> faults = new ArrayList<>(Ids.check("/boardId", wanted.boardId()));
        faults.addAll(Ids.check("/itemId", wanted.itemId()));
        if (wanted.columns().isEmpty() || wanted.columns().size() > MOST_COLUMNS) {
            faults.add(new ParameterFault("/columns", "there are from 1 to " + MOST_COLUMNS));
        }
        return faults;
    }

    @Override
    public ActionResult<Updated> run(Parameters wanted, ActionContext context)
            throws ActionFailure, InterruptedException {
        MondayApi.Attempt monday = api.attempt(context);
        String board = Ids.text(wanted.boardId());
        ObjectNode variables = MondayApi.object()
                .put("board", board)
                .put("item", Ids.text(wanted.itemId()))
                .put("values", ColumnValues.of(Board.read(monday, board), wanted.columns(), Map.of()));
        JsonNode item = monday.change(UPDATE, "change_multiple_column_values", variables);
        return ActionResult.succeeded(new Updated(
                item.path("id").asString(Ids.text(wanted.itemId())),
                item.path("url").asString("")));
    }
}
