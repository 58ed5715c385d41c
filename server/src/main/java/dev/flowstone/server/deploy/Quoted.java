package dev.flowstone.server.deploy;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.json.JsonValue;
import java.util.Base64;
import java.util.Optional;

/** An object as a text in which nothing can be taken for a template. */
final class Quoted {
    private Quoted() {}

    static JsonString of(JsonObject object) {
        return new JsonString(Base64.getEncoder()
                .encodeToString(CanonicalJson.exactText(object).getBytes(UTF_8)));
    }

    /** Empty if it is none. */
    static Optional<JsonObject> read(JsonValue quoted) {
        try {
            return quoted instanceof JsonString(String text)
                            && JsonParser.parse(Base64.getDecoder().decode(text)) instanceof JsonObject object
                    ? Optional.of(object)
                    : Optional.empty();
        } catch (IllegalArgumentException | JsonSyntaxException e) {
            return Optional.empty();
        }
    }
}
