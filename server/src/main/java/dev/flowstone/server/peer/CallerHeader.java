package dev.flowstone.server.peer;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonLimits;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.http.Caller;
import dev.flowstone.server.http.Scope;
import java.time.Instant;
import java.time.format.DateTimeParseException;
import java.util.Arrays;
import java.util.Base64;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * Who calls, as the node says that let it in: JSON in base64, in a header. A scope that this release doesn't know is left out. Two
 * had other names in the release before, by which its nodes name and understand them.
 */
final class CallerHeader {
    static final String NAME = "Flowstone-Caller";

    private static final Map<Scope, String> FORMERLY =
            Map.of(Scope.WORKFLOWS_MANAGE, "workflows:write", Scope.WORKFLOWS_EXECUTE, "executions:write");

    private CallerHeader() {}

    static String text(Caller caller) {
        JsonObject json = JsonObject.builder()
                .put("standing", caller.standing().name())
                .put("tenant", caller.tenant().value())
                .put("principal", caller.principal().toString())
                .put("roles", texts(caller.roles()))
                .put(
                        "scopes",
                        texts(caller.scopes().stream()
                                .flatMap(CallerHeader::names)
                                .toList()))
                .putIfPresent("displayName", caller.profile().displayName())
                .putIfPresent("email", caller.profile().email())
                .putIfPresent("until", caller.until().map(Instant::toString))
                .build();
        return Base64.getUrlEncoder().withoutPadding().encodeToString(CanonicalJson.exact(json));
    }

    /** @throws IllegalArgumentException if no node has written it */
    static Caller parse(String text) {
        try {
            if (JsonParser.parse(Base64.getUrlDecoder().decode(text), JsonLimits.DEFAULT) instanceof JsonObject json) {
                Set<String> scopes = texts(json, "scopes");
                return new Caller(
                        Caller.Standing.valueOf(text(json, "standing")),
                        new TenantId(text(json, "tenant")),
                        Actor.parse(text(json, "principal")),
                        texts(json, "roles"),
                        Arrays.stream(Scope.values())
                                .filter(scope -> names(scope).anyMatch(scopes::contains))
                                .collect(Collectors.toUnmodifiableSet()),
                        new Caller.Profile(
                                json.find("displayName").map(CallerHeader::text),
                                json.find("email").map(CallerHeader::text)),
                        json.find("until").map(CallerHeader::instant));
            }
        } catch (JsonSyntaxException e) {
            throw new IllegalArgumentException("that is no caller", e);
        }
        throw new IllegalArgumentException("that is no caller");
    }

    private static Stream<String> names(Scope scope) {
        return Stream.concat(Stream.of(scope.toString()), Optional.ofNullable(FORMERLY.get(scope)).stream());
    }

    private static Instant instant(JsonValue value) {
        try {
            return Instant.parse(text(value));
        } catch (DateTimeParseException e) {
            throw new IllegalArgumentException("a caller is known until what is no time", e);
        }
    }

    private static String text(JsonValue value) {
        if (value instanceof JsonString(String text)) {
            return text;
        }
        throw new IllegalArgumentException("a caller is called what is no text");
    }

    private static JsonArray texts(Collection<String> texts) {
        return new JsonArray(
                texts.stream().sorted().<JsonValue>map(JsonString::new).toList());
    }

    private static String text(JsonObject json, String member) {
        if (json.get(member) instanceof JsonString(String text)) {
            return text;
        }
        throw new IllegalArgumentException("a caller has no text '" + member + "'");
    }

    private static Set<String> texts(JsonObject json, String member) {
        if (!(json.get(member) instanceof JsonArray(List<JsonValue> items))) {
            throw new IllegalArgumentException("a caller has no list '" + member + "'");
        }
        Set<String> texts = new LinkedHashSet<>();
        for (JsonValue item : items) {
            if (!(item instanceof JsonString(String text))) {
                throw new IllegalArgumentException("a caller's '" + member + "' holds what is no text");
            }
            texts.add(text);
        }
        return texts;
    }
}
