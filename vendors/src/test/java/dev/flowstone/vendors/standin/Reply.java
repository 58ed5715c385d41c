package dev.flowstone.vendors.standin;

import java.util.Map;
import tools.jackson.databind.JsonNode;

/** What a stand-in answers. */
public record Reply(int status, String type, String body, Map<String, String> headers) {
    static Reply json(int status, JsonNode body) {
        return new Reply(status, "application/json;charset=UTF-8", body.toString(), Map.of());
    }

    /** With a text that is JSON. */
    public static Reply json(int status, String body) {
        return new Reply(status, "application/json;charset=UTF-8", body, Map.of());
    }

    static Reply html(int status, String body) {
        return new Reply(status, "text/html;charset=UTF-8", body, Map.of());
    }

    Reply with(String header, String value) {
        return new Reply(status, type, body, Map.of(header, value));
    }
}
