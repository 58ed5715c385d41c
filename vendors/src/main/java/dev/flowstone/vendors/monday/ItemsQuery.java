package dev.flowstone.vendors.monday;

import dev.flowstone.action.ActionFailure;
import dev.flowstone.vendors.monday.Filter.Operator;
import dev.flowstone.vendors.monday.Filter.Rule;
import dev.flowstone.vendors.web.Fault;
import java.math.BigDecimal;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import tools.jackson.databind.node.ArrayNode;
import tools.jackson.databind.node.MissingNode;
import tools.jackson.databind.node.ObjectNode;

/**
 * A filter as Monday's {@code ItemsQuery} (developer.monday.com, "Items page: other types"): a status and a dropdown are asked for by the
 * numbers of their labels, an item's id isn't a rule, and what a column of some type can't be asked for is refused here.
 */
final class ItemsQuery {
    private static final String ITEM_ID = "Item ID";
    private static final String NAME = "Name";
    private static final Set<String> TEXTS = Set.of("name", "text", "long_text");
    private static final Map<Operator, String> ORDER = Map.of(
            Operator.GT, "greater_than",
            Operator.GTE, "greater_than_or_equals",
            Operator.LT, "lower_than",
            Operator.LTE, "lower_than_or_equal");

    private final Filter filter;
    private final Optional<Board> board;
    private final ObjectNode query = MondayApi.object();
    private final ArrayNode rules = query.putArray("rules");

    private ItemsQuery(Filter filter, Optional<Board> board) {
        this.filter = filter;
        this.board = board;
    }

    /** Whether a board's columns have to be known. */
    static boolean needsColumns(Filter filter) {
        return filter.rules().stream()
                .anyMatch(
                        rule -> !rule.column().equals(ITEM_ID) && !rule.column().equals(NAME));
    }

    /**
     * Of this filter.
     *
     * @param board there if {@link #needsColumns}
     * @throws ActionFailure if a column isn't there, or can't be asked so
     */
    static ObjectNode of(Filter filter, Optional<Board> board) throws ActionFailure {
        ItemsQuery made = new ItemsQuery(filter, board);
        for (Rule rule : filter.rules()) {
            made.add(rule);
        }
        return made.query.put("operator", filter.isAny() ? "or" : "and");
    }

    private void add(Rule rule) throws ActionFailure {
        if (rule.column().equals(ITEM_ID)) {
            item(rule);
            return;
        }
        Column column = rule.column().equals(NAME)
                ? new Column("name", NAME, "name", MissingNode.getInstance())
                : board.orElseThrow().column(rule.column());
        switch (rule.operator()) {
            case EMPTY -> rule(column, "is_empty");
            case NOT_EMPTY -> rule(column, "is_not_empty");
            case EQ, NE -> equal(rule, column);
            case CONTAINS -> {
                if (!TEXTS.contains(column.type())) {
                    throw unaskable(column);
                }
                rule(column, "contains_text").putArray("compare_value").add(rule.text());
            }
            case GT, GTE, LT, LTE -> {
                if (!column.type().equals("numbers")) {
                    throw unaskable(column);
                }
                number(rule, column, String.valueOf(ORDER.get(rule.operator())));
            }
        }
    }

    private void item(Rule rule) throws ActionFailure {
        if (rule.operator() != Operator.EQ || filter.isAny()) {
            throw Fault.REFUSED.at(MondayApi.MONDAY, "an item's id can only be asked for with eq, and with match all");
        }
        query.putArray("ids").add(rule.text());
    }

    private void equal(Rule rule, Column column) throws ActionFailure {
        String operator = rule.operator() == Operator.EQ ? "any_of" : "not_any_of";
        if (TEXTS.contains(column.type())) {
            rule(column, operator).putArray("compare_value").add(rule.text());
        } else if (column.isStatus() || column.type().equals("dropdown")) {
            int label = column.label(rule.text())
                    .orElseThrow(() -> Fault.NOT_FOUND.at(
                            MondayApi.MONDAY,
                            "the column '" + column.title() + "' has no label '" + rule.text() + "'"));
            rule(column, operator).putArray("compare_value").add(label);
        } else if (column.type().equals("numbers") && rule.operator() == Operator.EQ && !filter.isAny()) {
            // Monday compares numbers by their order alone.
            number(rule, column, "greater_than_or_equals");
            number(rule, column, "lower_than_or_equal");
        } else {
            throw unaskable(column);
        }
    }

    private void number(Rule rule, Column column, String operator) throws ActionFailure {
        try {
            rule(column, operator).putArray("compare_value").add(new BigDecimal(rule.text()));
        } catch (NumberFormatException e) {
            throw Fault.REFUSED.at(
                    MondayApi.MONDAY, "the column '" + column.title() + "' has numbers, and the rule's value is none");
        }
    }

    private ObjectNode rule(Column column, String operator) {
        ObjectNode rule = rules.addObject().put("column_id", column.id()).put("operator", operator);
        rule.putArray("compare_value");
        return rule;
    }

    private static ActionFailure unaskable(Column column) {
        return Fault.REFUSED.at(
                MondayApi.MONDAY,
                "the column '" + column.title() + "' of the type " + column.type()
                        + " can't be asked so: a text can for eq, ne and contains, a status or dropdown for eq and ne,"
                        + " a number for eq, gt, gte, lt and lte, and each for empty and notEmpty");
    }
}
