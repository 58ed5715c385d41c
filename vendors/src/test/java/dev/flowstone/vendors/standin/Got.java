package dev.flowstone.vendors.standin;

import com.sun.net.httpserver.Headers;
import java.net.URLDecoder;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import tools.jackson.core.JacksonException;
import tools.jackson.databind.JsonNode;
import tools.jackson.databind.json.JsonMapper;

/** A request that came. */
public record Got(String method, String path, Map<String, String> query, Headers headers, String body) {
    static Map<String, String> query(Optional<String> raw) {
        Map<String, String> query = new HashMap<>();
        for (String member : raw.orElse("").split("&", -1)) {
            int equals = member.indexOf('=');
            if (equals > 0) {
                query.put(member.substring(0, equals), decoded(member.substring(equals + 1)));
            }
        }
        return query;
    }

    private static String decoded(String text) {
        return URLDecoder.decode(text, StandardCharsets.UTF_8);
    }

    /** Empty if it has none. */
    public String header(String name) {
        return Optional.ofNullable(headers.getFirst(name)).orElse("");
    }

    /** Empty if it has none. */
    String of(String member) {
        return query.getOrDefault(member, "");
    }

    /** What it carries; an empty object if that is no JSON. */
    public JsonNode json() {
        try {
            return JsonMapper.shared().readTree(body);
        } catch (JacksonException e) {
            return JsonMapper.shared().createObjectNode();
        }
    }
}
