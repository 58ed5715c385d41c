package dev.flowstone.sdk.http;

import tools.jackson.core.JacksonException;
import tools.jackson.core.JacksonException.Reference;
import tools.jackson.databind.DatabindException;

/** What is said of JSON that isn't of a type. */
public final class Binding {
    private Binding() {}

    /** In one line, with the place in the JSON (RFC 6901) and without the JSON itself. */
    public static String said(String type, JacksonException e) {
        StringBuilder pointer = new StringBuilder();
        if (e instanceof DatabindException) {
            for (Reference step : e.getPath()) {
                pointer.append('/')
                        .append(
                                step.getPropertyName() == null
                                        ? Integer.toString(step.getIndex())
                                        : step.getPropertyName()
                                                .replace("~", "~0")
                                                .replace("/", "~1"));
            }
        }
        String where = pointer.isEmpty() ? "" : " at '" + pointer + "'";
        return "no " + type + where + ": "
                + String.valueOf(e.getOriginalMessage()).replaceAll("\\p{Cntrl}+", " ");
    }
}
