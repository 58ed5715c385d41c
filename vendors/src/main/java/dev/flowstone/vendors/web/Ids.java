package dev.flowstone.vendors.web;

import dev.flowstone.action.ParameterFault;
import java.util.List;
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

    /** As the vendor takes it. */
    public static String text(JsonNode id) {
        return id.isString() || id.isIntegralNumber() ? id.asString("") : "";
    }
}
