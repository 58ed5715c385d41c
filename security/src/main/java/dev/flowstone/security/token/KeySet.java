package dev.flowstone.security.token;

import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonLimits;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.json.JsonValue;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/**
 * An issuer's public keys, as a JWK set (RFC 7517, 5) has them. Those that no token may be signed with are passed over; if there is no
 * other, no token is good.
 */
public final class KeySet {
    public static final int MOST_KEYS = 100;
    public static final int MOST_BYTES = 256 << 10;

    private static final JsonLimits LIMITS = new JsonLimits(MOST_BYTES, 16, 32);

    private final List<VerificationKey> keys;
    private final List<String> passedOver;

    private KeySet(List<VerificationKey> keys, List<String> passedOver) {
        this.keys = List.copyOf(keys);
        this.passedOver = List.copyOf(passedOver);
    }

    /**
     * Reads {@code {"keys": […]}}.
     *
     * @throws KeySetException if it can't be read, or is too large
     */
    public static KeySet parse(byte[] json) throws KeySetException {
        if (json.length > MOST_BYTES) {
            throw new KeySetException("a set of keys has at most " + MOST_BYTES + " bytes");
        }
        List<JsonValue> members = members(json);
        if (members.size() > MOST_KEYS) {
            throw new KeySetException("a set has at most " + MOST_KEYS + " keys, not " + members.size());
        }
        List<VerificationKey> keys = new ArrayList<>();
        List<String> passedOver = new ArrayList<>();
        for (int i = 0; i < members.size(); i++) {
            try {
                keys.add(VerificationKey.of(members.get(i)));
            } catch (KeySetException e) {
                passedOver.add("key " + i + ": " + e.getMessage());
            }
        }
        return new KeySet(keys, passedOver);
    }

    private static List<JsonValue> members(byte[] json) throws KeySetException {
        try {
            if (JsonParser.parse(json, LIMITS) instanceof JsonObject set
                    && set.get("keys") instanceof JsonArray(List<JsonValue> members)) {
                return members;
            }
        } catch (JsonSyntaxException e) {
            throw new KeySetException("a set of keys is JSON: " + e.getMessage());
        }
        throw new KeySetException("a set of keys is a JSON object with a list 'keys'");
    }

    /** How many can be used. */
    public int size() {
        return keys.size();
    }

    /** Why the others can't, one line each. */
    public List<String> passedOver() {
        return passedOver;
    }

    /** Those that a token may be signed with that names this key and algorithm; without a name, any. */
    List<VerificationKey> fitting(Optional<String> kid, Algorithm algorithm) {
        return keys.stream()
                .filter(key -> kid.isEmpty() || key.kid().equals(kid))
                .filter(key -> key.fits(algorithm))
                .toList();
    }
}
