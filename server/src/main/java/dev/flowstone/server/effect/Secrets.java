package dev.flowstone.server.effect;

import dev.flowstone.engine.task.TaskCall;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonPointer;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.server.config.NamedSecret;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;

/**
 * Secrets by reference: where a workflow writes {@code {"$secret": NAME}}, perhaps with a {@code prefix}, the value is put in when the
 * request is made, and stands in no definition and no event. Only what the definition holds as it is counts, nothing that a template fills in.
 */
public final class Secrets {
    static final Secrets NONE = new Secrets(Map.of());

    private static final String REFERENCE = "$secret";
    private static final String PREFIX = "prefix";
    private static final int LONGEST_PREFIX = 100;
    private static final Set<String> MEMBERS = Set.of(REFERENCE, PREFIX);

    private final Map<String, NamedSecret> byName;

    private Secrets(Map<String, NamedSecret> byName) {
        this.byName = byName;
    }

    public static Secrets of(List<NamedSecret> secrets) {
        return new Secrets(secrets.stream().collect(Collectors.toUnmodifiableMap(NamedSecret::name, it -> it)));
    }

    /** What it stands for: a prefix, and the secret. */
    record Revealed(String prefix, String secret) {
        /** Whole, as it is sent. */
        String text() {
            return prefix + secret;
        }

        /** Without what it is. */
        @Override
        public String toString() {
            return "a secret";
        }
    }

    /**
     * What a reference stands for, in a request to that URL by that call's tenant.
     *
     * @param written what stands in its place in the definition: the same, or whoever filled it in would name the secret
     */
    Revealed reveal(JsonObject reference, Optional<JsonValue> written, TaskCall call, String url, JsonPointer at)
            throws InvalidParameterException {
        if (!MEMBERS.containsAll(reference.members().keySet())
                || !(reference.get(REFERENCE) instanceof JsonString(String name))) {
            throw new InvalidParameterException(
                    at,
                    "it is text, a number, true or false, or {\"$secret\": NAME}, perhaps with a \"prefix\" before it");
        }
        if (!written.equals(Optional.of(reference))) {
            throw new InvalidParameterException(
                    at,
                    "a secret is named by the definition alone: write {\"$secret\": NAME} there as it is; what a template"
                            + " fills in names none");
        }
        NamedSecret secret = byName.get(name);
        if (secret == null || !secret.isFor(call.tenant())) {
            throw new InvalidParameterException(
                    at,
                    "there is no secret of that name for this tenant; whoever runs the server sets secret.NAME.value"
                            + " and secret.NAME.origins");
        }
        if (!secret.mayGoTo(url)) {
            throw new InvalidParameterException(
                    at,
                    "that secret may not be sent there; whoever runs the server says in secret.NAME.origins where it may");
        }
        return new Revealed(prefix(reference.get(PREFIX), at.child(PREFIX)), secret.value());
    }

    private static String prefix(@Nullable JsonValue value, JsonPointer at) throws InvalidParameterException {
        if (value == null) {
            return "";
        }
        if (value instanceof JsonString(String text) && text.length() <= LONGEST_PREFIX) {
            return text;
        }
        throw new InvalidParameterException(
                at, "it is text of at most " + LONGEST_PREFIX + " characters, such as \"Bearer \"");
    }
}
