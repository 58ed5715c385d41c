package dev.flowstone.server.http;

import dev.flowstone.kernel.json.JsonObject;

/**
 * One thing that is wrong with a document that was sent.
 *
 * @param pointer JSON pointer into the body
 * @param line in the body as it was sent, from 1
 * @param column of the same, from 1
 */
public record Fault(String code, String pointer, int line, int column, String message, String remedy) {
    public JsonObject toJson() {
        return JsonObject.builder()
                .put("code", code)
                .put("pointer", pointer)
                .put("line", line)
                .put("column", column)
                .put("message", message)
                .put("remedy", remedy)
                .build();
    }
}
