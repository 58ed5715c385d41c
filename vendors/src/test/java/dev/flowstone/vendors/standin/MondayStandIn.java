package dev.flowstone.vendors.standin;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.ObjectNode;

/** Monday's API, as far as the items of its board 42 go. It takes the documents whose root fields it knows, with their variables. */
public final class MondayStandIn extends StandIn {
    public static final String BOARD = "42";

    private static final JsonMapper JSON = JsonMapper.shared();
    private static final Pattern ROOT = Pattern.compile("\\{\\s*([a-z_]+)\\s*[({]");
    private static final Pattern DECLARED = Pattern.compile("\\$(\\w+): *([\\w\\[\\]!]+)");
    private static final Pattern USED = Pattern.compile(": \\$(\\w+)");
    private static final Map<String, String> TYPES = types();
    private static final String OLD_SETTINGS = "{\"labels\":{\"0\":\"New\",\"1\":\"In Progress\",\"2\":\"Approved\"}}";

    /**
     * An item.
     *
     * @param values texts by the ids of their columns
     */
    public record Item(String id, String name, Map<String, String> values) {}

    private final List<Item> items = new CopyOnWriteArrayList<>();
    private final AtomicInteger ids = new AtomicInteger(7_001);

    public MondayStandIn(String token) {
        super(token);
    }

    private static Map<String, String> types() {
        Map<String, String> types = new LinkedHashMap<>();
        types.put("name", "name");
        types.put("status_1", "status");
        types.put("text_ref", "text");
        types.put("numbers_1", "numbers");
        types.put("text_2", "text");
        types.put("people", "people");
        return types;
    }

    private static String title(String column) {
        return switch (column) {
            case "name" -> "Name";
            case "status_1" -> "Status";
            case "text_ref" -> "Reference";
            case "numbers_1" -> "Budget";
            // As the id of another one.
            case "text_2" -> "text_ref";
            default -> "Owner";
        };
    }

    /** What is on the board. */
    public List<Item> items() {
        return List.copyOf(items);
    }

    /** Somebody makes an item. */
    public Item item(String name, String status, String budget) {
        Item item = new Item(String.valueOf(ids.getAndIncrement()), name, new LinkedHashMap<>());
        item.values().put("status_1", status);
        item.values().put("numbers_1", budget);
        items.add(item);
        return item;
    }

    @Override
    protected String root() {
        return "/v2";
    }

    @Override
    protected Reply unauthenticated(String shown) {
        return Reply.json(401, "{\"errors\":[\"Not Authenticated\"]}");
    }

    @Override
    protected Reply status(int status, Got request) {
        Reply reply = error(
                status, "for " + request.header("Authorization"), "SomeException", status, JSON.createObjectNode());
        return status == 429 || status == 503 ? reply.with("Retry-After", String.valueOf(PAUSE)) : reply;
    }

    /** What it answers, with 200, to a query beyond the budget: no header says for how long. */
    public static Reply exhausted() {
        return error(
                200,
                "Complexity budget exhausted, query cost 30001 budget remaining 19986 out of 1000000 reset in 39"
                        + " seconds",
                "COMPLEXITY_BUDGET_EXHAUSTED",
                429,
                JSON.createObjectNode().put("retry_in_seconds", 39));
    }

    private static Reply error(int http, String message, String code, int status, ObjectNode data) {
        ObjectNode answer = JSON.createObjectNode();
        answer.putArray("data");
        ObjectNode error = answer.putArray("errors").addObject().put("message", message);
        ObjectNode extensions = error.putObject("extensions").put("code", code).put("status_code", status);
        extensions.set("error_data", data);
        return Reply.json(http, answer.put("account_id", 123_456));
    }

    private static Reply wrong(String code, String message, int status) {
        return error(200, message, code, status, JSON.createObjectNode());
    }

    private static Reply data(ObjectNode data) {
        ObjectNode answer = JSON.createObjectNode();
        answer.set("data", data);
        return Reply.json(200, answer.put("account_id", 123_456));
    }

    @Override
    protected Reply answer(Got request) {
        JsonNode body = request.json();
        String document = body.path("query").asString("");
        JsonNode variables = body.path("variables");
        if (!request.method().equals("POST") || document.isEmpty()) {
            return error(400, "No query string was present", "BadRequest", 400, JSON.createObjectNode());
        }
        String declaredWrong = undeclared(document, variables);
        if (!declaredWrong.isEmpty()) {
            return wrong("missingRequiredVariable", declaredWrong, 400);
        }
        Matcher root = ROOT.matcher(document);
        return switch (root.find() ? root.group(1) : "") {
            case "boards" -> boards(document, variables, request.header("API-Version"));
            case "next_items_page" -> page("next_items_page", items, variables);
            case "items_page_by_column_values" -> byColumn(variables);
            case "create_item" -> created(variables);
            case "change_multiple_column_values" -> changed(variables);
            default -> wrong("undefinedField", "Field doesn't exist on type 'Query'", 400);
        };
    }

    /** What is used is declared, what is demanded is given. */
    private static String undeclared(String document, JsonNode variables) {
        Map<String, String> declared = new LinkedHashMap<>();
        DECLARED.matcher(document).results().forEach(it -> declared.put(it.group(1), it.group(2)));
        for (MatchResult used : USED.matcher(document).results().toList()) {
            if (!declared.containsKey(used.group(1))) {
                return "Variable $" + used.group(1) + " is used but not declared";
            }
        }
        return declared.entrySet().stream()
                .filter(it -> it.getValue().endsWith("!") && !variables.hasNonNull(it.getKey()))
                .map(it -> "Variable $" + it.getKey() + " of type " + it.getValue() + " was provided invalid value")
                .findFirst()
                .orElse("");
    }

    private Reply boards(String document, JsonNode variables, String version) {
        ObjectNode data = JSON.createObjectNode();
        ArrayNode boards = data.putArray("boards");
        if (!variables.path("boards").path(0).asString("").equals(BOARD)) {
            return data(data);
        }
        ObjectNode board = boards.addObject();
        if (document.contains("items_page(")) {
            List<Item> wanted = items.stream()
                    .filter(item -> isWanted(item, variables.path("params")))
                    .toList();
            put(board.putObject("items_page"), wanted, variables);
        } else {
            boolean isOld = document.contains("settings_str");
            if (!isOld && version.compareTo("2025-10") < 0) {
                return wrong("undefinedField", "Field 'settings' doesn't exist on type 'Column'", 400);
            }
            ArrayNode columns = board.putArray("columns");
            TYPES.forEach((id, type) -> {
                ObjectNode column = columns.addObject()
                        .put("id", id)
                        .put("title", title(id))
                        .put("type", type);
                boolean isStatus = type.equals("status");
                if (isOld) {
                    column.put("settings_str", isStatus ? OLD_SETTINGS : "{}");
                } else {
                    column.set("settings", isStatus ? settings() : JSON.createObjectNode());
                }
            });
        }
        return data(data);
    }

    /** A label is asked for by its index, which isn't its id. */
    private static ObjectNode settings() {
        ObjectNode settings = JSON.createObjectNode();
        ArrayNode labels = settings.putArray("labels");
        JSON.readTree(OLD_SETTINGS)
                .path("labels")
                .properties()
                .forEach(label -> labels.addObject()
                        .put("id", 10 + Integer.parseInt(label.getKey()))
                        .put("label", label.getValue().asString())
                        .put("index", Integer.parseInt(label.getKey()))
                        .put("is_deactivated", false));
        return settings;
    }

    private static Reply page(String name, List<Item> all, JsonNode variables) {
        ObjectNode data = JSON.createObjectNode();
        put(data.putObject(name), all, variables);
        return data(data);
    }

    /** The cursor is where the next page begins. */
    private static void put(ObjectNode page, List<Item> all, JsonNode variables) {
        int from = Integer.parseInt(variables.path("cursor").asString("0"));
        int until = Math.min(all.size(), from + variables.path("limit").asInt(25));
        if (until < all.size()) {
            page.put("cursor", String.valueOf(until));
        } else {
            page.putNull("cursor");
        }
        ArrayNode shown = page.putArray("items");
        all.subList(from, until).forEach(item -> shown.add(shown(item)));
    }

    private static ObjectNode shown(Item item) {
        ObjectNode json = JSON.createObjectNode()
                .put("id", item.id())
                .put("name", item.name())
                .put("url", "https://example.monday.com/boards/42/pulses/" + item.id());
        ArrayNode values = json.putArray("column_values");
        TYPES.keySet().stream().filter(id -> !id.equals("name")).forEach(id -> {
            ObjectNode value = values.addObject().put("text", item.values().get(id));
            value.putObject("column").put("title", title(id));
        });
        return json;
    }

    private static boolean isWanted(Item item, JsonNode params) {
        JsonNode wantedIds = params.path("ids");
        if (!wantedIds.isEmpty()
                && wantedIds.valueStream().noneMatch(it -> it.asString().equals(item.id()))) {
            return false;
        }
        List<JsonNode> rules = params.path("rules").valueStream().toList();
        boolean any = params.path("operator").asString("and").equals("or");
        return rules.isEmpty()
                || (any
                        ? rules.stream().anyMatch(rule -> holds(item, rule))
                        : rules.stream().allMatch(rule -> holds(item, rule)));
    }

    private static boolean holds(Item item, JsonNode rule) {
        String column = rule.path("column_id").asString("");
        String text = column.equals("name") ? item.name() : item.values().getOrDefault(column, "");
        String compared = rule.path("compare_value").path(0).asString("");
        String value = column.equals("status_1") ? label(compared) : compared;
        return switch (rule.path("operator").asString("any_of")) {
            case "any_of" -> text.equals(value);
            case "not_any_of" -> !text.equals(value);
            case "contains_text" -> text.contains(value);
            case "is_empty" -> text.isEmpty();
            case "is_not_empty" -> !text.isEmpty();
            case "greater_than" -> number(text) > number(value);
            case "greater_than_or_equals" -> number(text) >= number(value);
            case "lower_than" -> number(text) < number(value);
            default -> number(text) <= number(value);
        };
    }

    private static String label(String index) {
        return JSON.readTree(OLD_SETTINGS).path("labels").path(index).asString("?");
    }

    private static double number(String text) {
        return text.isEmpty() ? Double.NaN : Double.parseDouble(text);
    }

    private Reply byColumn(JsonNode variables) {
        JsonNode column = variables.path("columns").path(0);
        String wanted = column.path("column_values").path(0).asString("");
        List<Item> found = items.stream()
                .filter(item ->
                        wanted.equals(item.values().get(column.path("column_id").asString(""))))
                .toList();
        return page("items_page_by_column_values", found, variables);
    }

    private Reply created(JsonNode variables) {
        if (!variables.path("board").asString("").equals(BOARD)) {
            return wrong("ResourceNotFoundException", "Board not found", 404);
        }
        Item item = item(variables.path("name").asString(""), "New", "");
        String fault = set(item, variables);
        if (!fault.isEmpty()) {
            items.remove(item);
            return wrong("ColumnValueException", fault, 200);
        }
        ObjectNode data = JSON.createObjectNode();
        data.set("create_item", shown(item));
        return data(data);
    }

    private Reply changed(JsonNode variables) {
        var item = items.stream()
                .filter(it -> it.id().equals(variables.path("item").asString("")))
                .findFirst();
        if (item.isEmpty()) {
            return wrong("ResourceNotFoundException", "Item not found", 404);
        }
        String fault = set(item.get(), variables);
        if (!fault.isEmpty()) {
            return wrong("ColumnValueException", fault, 200);
        }
        ObjectNode data = JSON.createObjectNode();
        data.set("change_multiple_column_values", shown(item.get()));
        return data(data);
    }

    /** Each type of column has a form of its own; what is wrong with one, or nothing. */
    private static String set(Item item, JsonNode variables) {
        JsonNode values = JSON.readTree(variables.path("values").asString("{}"));
        for (Map.Entry<String, JsonNode> each : values.properties()) {
            JsonNode value = each.getValue();
            boolean isStatus = "status".equals(TYPES.get(each.getKey()));
            if (!TYPES.containsKey(each.getKey())
                    || (isStatus ? !value.path("label").isString() : !value.isString())) {
                return "invalid value, please check our API documentation for the correct data structure for this"
                        + " column";
            }
            item.values().put(each.getKey(), isStatus ? value.path("label").asString() : value.asString());
        }
        return "";
    }
}
