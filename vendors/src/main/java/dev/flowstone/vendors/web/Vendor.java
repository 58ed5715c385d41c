package dev.flowstone.vendors.web;

import static java.util.Objects.requireNonNull;

import dev.flowstone.action.ActionContext;
import dev.flowstone.action.ActionFailure;
import dev.flowstone.action.ActionResult;
import java.util.Map;
import java.util.Optional;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import tools.jackson.databind.JsonNode;

/**
 * Another service: what it is called, where it is, and how it says what is wrong.
 *
 * @param id its connector's
 * @param name for people
 * @param url where it is if its configuration doesn't say; none if every company has its own
 */
public record Vendor(String id, String name, Optional<String> url, Complaints complaints) {
    public Vendor {
        requireNonNull(url);
        requireNonNull(complaints);
    }

    /**
     * JSON Schema of a configuration that says where it is.
     *
     * @param more members of its properties, as JSON
     */
    public static String configSchema(String... more) {
        return """
            {"type": "object", "additionalProperties": false, "properties": {
              "url": {"type": "string", "pattern": "^https?://[^?#@\\\\s]+$", "maxLength": 2000,
                      "description": "where it is; the settings outbound.… say whether requests may go there"}%s}}\
            """.formatted(Stream.of(more).map(", "::concat).collect(Collectors.joining()));
    }

    /**
     * What an answer has to tell.
     *
     * @throws ActionFailure if it doesn't: it is no answer of this vendor's
     */
    public String told(JsonNode answer, String member) throws ActionFailure {
        String text = answer.path(member).asString("");
        if (text.isEmpty()) {
            throw new ActionFailure(ActionResult.failed(
                            "VENDOR_ANSWER_UNREADABLE",
                            name + " answered success without '" + member + "': look whether the url of " + id
                                    + ".json is right")
                    .with(Map.of(Calls.MAY_BE_DONE, true)));
        }
        return text;
    }

    /** Without a slash at its end. */
    String base(ActionContext context) throws ActionFailure {
        JsonNode set = context.config().path("url");
        String base = set.isString() ? set.asString("") : url.orElseThrow(this::nowhere);
        return base.endsWith("/") ? base.substring(0, base.length() - 1) : base;
    }

    private ActionFailure nowhere() {
        return new ActionFailure(ActionResult.failed(
                "VENDOR_NOT_CONFIGURED",
                "nobody has said where " + name + " is: whoever runs the server puts {\"url\": …} into the file " + id
                        + ".json of connector.config"));
    }
}
