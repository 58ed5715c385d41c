package dev.flowstone.vendors.web;

import dev.flowstone.action.ParameterFault;
import java.util.List;
import java.util.Optional;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/** Ids that are numbers to people and texts to their vendor: in parameters they may be either. */
public final class Ids {
    private static final Pattern DIGITS = Pattern.compile("[0-9]{1,19}");

    private Ids() {}

    /** What is wrong with one. */
    public static List<ParameterFault> check(String pointer, JsonNode id) {
        return DIGITS.matcher(text(id)).matches()
                ? List.of()
                : List.of(new ParameterFault(pointer, "it is an id of digits, as a number or as a text"));
    }

    /** One that may be left out: where any JSON may stand, what is missing or null is bound as such. */
    public static Optional<JsonNode> given(Optional<JsonNode> id) {
        return id.filter(it -> !it.isMissingNode() && !it.isNull());
    }

    /** As the vendor takes it. */
    public static String text(JsonNode id) {
        return id.isString() || id.isIntegralNumber() ? id.asString("") : "";
    }
}
