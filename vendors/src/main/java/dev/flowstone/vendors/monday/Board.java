package dev.flowstone.vendors.monday;

import dev.flowstone.action.ActionFailure;
import dev.flowstone.vendors.web.Fault;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.node.ObjectNode;

/** A board's columns: workflows call them by their titles, Monday by their ids. */
record Board(String id, List<Column> columns) {
    private static final int SHOWN = 20;

    /** Since when {@code settings} stands in place of {@code settings_str} (developer.monday.com, changelog). */
    private static final String SETTINGS_SINCE = "2025-10";

    Board {
        columns = List.copyOf(columns);
    }

    static Board read(MondayApi.Attempt monday, String id) throws ActionFailure, InterruptedException {
        String settings = monday.version().compareTo(SETTINGS_SINCE) < 0 ? "settings_str" : "settings";
        String document =
                "query ($boards: [ID!]) { boards(ids: $boards) { columns { id title type " + settings + " } } }";
        JsonNode board = one(monday.ask(document, variables(id)), id);
        List<Column> columns = new ArrayList<>();
        board.path("columns")
                .forEach(column -> columns.add(new Column(
                        column.path("id").asString(""),
                        column.path("title").asString(""),
                        column.path("type").asString(""),
                        column.path(settings))));
        return new Board(id, columns);
    }

    /** Variables that name it. */
    static ObjectNode variables(String id) {
        ObjectNode variables = MondayApi.object();
        variables.putArray("boards").add(id);
        return variables;
    }

    /** The board of an answer. Monday leaves out one that isn't there, or isn't shown. */
    static JsonNode one(JsonNode data, String id) throws ActionFailure {
        JsonNode boards = data.path("boards");
        if (boards.isEmpty()) {
            throw Fault.NOT_FOUND.at(MondayApi.MONDAY, "there is no board " + id);
        }
        return boards.get(0);
    }

    /** By its title, else by its id. */
    Column column(String called) throws ActionFailure {
        return columns.stream()
                .filter(column -> column.title().equals(called))
                .findFirst()
                .or(() -> columns.stream()
                        .filter(column -> column.id().equals(called))
                        .findFirst())
                .orElseThrow(() -> Fault.NOT_FOUND.at(
                        MondayApi.MONDAY,
                        "the board " + id + " has no column '" + called + "', but "
                                + columns.stream()
                                        .limit(SHOWN)
                                        .map(column -> "'" + column.title() + "'")
                                        .collect(Collectors.joining(", "))));
    }
}
