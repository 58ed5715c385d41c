package dev.flowstone.vendors.monday;

import com.fasterxml.jackson.annotation.JsonProperty;
import dev.flowstone.action.Param;
import java.util.List;
import java.util.Optional;
import tools.jackson.databind.JsonNode;

/** Which items are wanted. */
record Filter(
        @Param(value = "what holds of them", maxLength = 20) List<Rule> rules,

        @Param("whether all rules hold, or any; all unless said")
        Optional<Match> match) {
    /** How rules go together. */
    enum Match {
        @JsonProperty("all")
        ALL,
        @JsonProperty("any")
        ANY
    }

    /** How a column's value and a rule's are compared. */
    enum Operator {
        @JsonProperty("eq")
        EQ(true),
        @JsonProperty("ne")
        NE(true),
        @JsonProperty("contains")
        CONTAINS(true),
        @JsonProperty("gt")
        GT(true),
        @JsonProperty("gte")
        GTE(true),
        @JsonProperty("lt")
        LT(true),
        @JsonProperty("lte")
        LTE(true),
        @JsonProperty("empty")
        EMPTY(false),
        @JsonProperty("notEmpty")
        NOT_EMPTY(false);

        final boolean takesValue;

        Operator(boolean takesValue) {
            this.takesValue = takesValue;
        }
    }

    /** What holds of one column. */
    record Rule(
            @Param(
                    value = "the title of a column, Name and Item ID among them, or its id",
                    minLength = 1,
                    maxLength = 255)
            String column,

            Operator operator,

            @Param("a text or a number; none for empty and notEmpty")
            Optional<JsonNode> value) {
        /** As a text. */
        String text() {
            return value.map(it -> it.asString("")).orElse("");
        }
    }

    boolean isAny() {
        return match.isPresent() && match.get() == Match.ANY;
    }
}
