package dev.flowstone.vendors.monday;

import dev.flowstone.action.ActionFailure;
import java.util.Map;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ObjectNode;

/**
 * Values of columns as Monday takes them (developer.monday.com, "Column types"): a text for a status, a date or a dropdown is put into the form that
 * its type has; an object is taken as it is.
 */
final class ColumnValues {
    private ColumnValues() {}

    /**
     * As JSON text.
     *
     * @param values by titles or ids of columns
     * @param own texts by ids, which come last
     */
    static String of(Board board, Map<String, JsonNode> values, Map<String, String> own) throws ActionFailure {
        ObjectNode written = MondayApi.object();
        for (Map.Entry<String, JsonNode> each : values.entrySet()) {
            if (each.getKey().equals("Name")) {
                written.put("name", each.getValue().asString(""));
            } else {
                Column column = board.column(each.getKey());
                written.set(column.id(), value(column, each.getValue()));
            }
        }
        own.forEach(written::put);
        return JsonMapper.shared().writeValueAsString(written);
    }

    private static JsonNode value(Column column, JsonNode value) {
        if (value.isContainer() || value.isNull()) {
            return value;
        }
        String text = value.asString("");
        if (column.isStatus()) {
            return MondayApi.object().put("label", text);
        }
        return switch (column.type()) {
            case "date" -> MondayApi.object().put("date", text);
            case "dropdown" -> {
                ObjectNode labels = MondayApi.object();
                labels.putArray("labels").add(text);
                yield labels;
            }
            case "checkbox" -> MondayApi.object().put("checked", text);
            default -> MondayApi.object().stringNode(text);
        };
    }
}
