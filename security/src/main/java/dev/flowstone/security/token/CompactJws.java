package dev.flowstone.security.token;

import dev.flowstone.kernel.json.JsonLimits;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonSyntaxException;
import java.nio.charset.StandardCharsets;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/**
 * A compact JWS whose form and header are in order. Nothing of it is believed yet.
 *
 * @param kid which of the issuer's keys it says it is signed with
 * @param payload bytes that it says were signed
 * @param signed what the signature covers
 */
@SuppressWarnings("ArrayRecordComponent")
record CompactJws(Algorithm algorithm, Optional<String> kid, byte[] payload, byte[] signed, byte[] signature) {
    /** Of a header and of claims: flat, short numbers. */
    private static final JsonLimits LIMITS = new JsonLimits(TokenRules.MOST_CHARACTERS, 16, 32);

    private static final Pattern FORM = Pattern.compile("([A-Za-z0-9_-]+)\\.([A-Za-z0-9_-]*)\\.([A-Za-z0-9_-]+)");
    /** Of access tokens (RFC 9068, 2.1). */
    private static final Set<String> ACCESS = Set.of("at+jwt", "application/at+jwt");

    /** Of access tokens of issuers that don't tell them from others. */
    private static final String ANY = "jwt";

    /** Headers that would bring a key along, or say where one is. */
    private static final List<String> BRINGING_KEYS = List.of("jwk", "jku", "x5c", "x5u");

    /** Headers that change what is signed, or how it is to be read (RFC 7515, RFC 7797). */
    private static final List<String> CHANGING = List.of("crit", "b64", "zip", "enc");

    private static final int LONGEST_KID = 256;

    static CompactJws parse(String text, TokenRules rules) throws RefusedToken {
        if (text.length() > TokenRules.MOST_CHARACTERS) {
            throw new RefusedToken(
                    Refusal.TOKEN_TOO_LARGE,
                    "it has more than " + TokenRules.MOST_CHARACTERS
                            + " characters; ask the issuer for one with fewer claims");
        }
        var parts = FORM.matcher(text);
        if (!parts.matches()) {
            throw RefusedToken.invalid(
                    "a token is three parts in base64url with dots between them, the last its signature");
        }
        JsonObject header = object(decoded(parts.group(1)), "header");
        for (String name : CHANGING) {
            refuseIfPresent(header, name, "which is not supported");
        }
        for (String name : BRINGING_KEYS) {
            refuseIfPresent(header, name, "and keys that a token names itself are not taken");
        }
        type(header, rules.requiresAccessTokenType());
        return new CompactJws(
                algorithm(header, rules.algorithms()),
                kid(header),
                decoded(parts.group(2)),
                text.substring(0, parts.end(2)).getBytes(StandardCharsets.US_ASCII),
                decoded(parts.group(3)));
    }

    JsonObject claims() throws RefusedToken {
        return object(payload, "payload");
    }

    private static JsonObject object(byte[] utf8, String part) throws RefusedToken {
        try {
            if (JsonParser.parse(utf8, LIMITS) instanceof JsonObject object) {
                return object;
            }
        } catch (JsonSyntaxException e) {
            throw RefusedToken.invalid("its " + part + " is no JSON: " + e.reason());
        }
        throw RefusedToken.invalid("its " + part + " is no JSON object");
    }

    /** Base64url has one form for each value (RFC 4648, 3.5): others would be other texts of the same token. */
    private static byte[] decoded(String base64url) throws RefusedToken {
        try {
            byte[] bytes = Base64.getUrlDecoder().decode(base64url);
            if (Base64.getUrlEncoder().withoutPadding().encodeToString(bytes).equals(base64url)) {
                return bytes;
            }
        } catch (IllegalArgumentException e) {
            // Of a length that no bytes have: the same as any other that isn't theirs.
        }
        throw RefusedToken.invalid("a part of it is no base64url");
    }

    private static void refuseIfPresent(JsonObject header, String name, String why) throws RefusedToken {
        if (header.get(name) != null) {
            throw RefusedToken.invalid("its header has '" + name + "', " + why);
        }
    }

    private static void type(JsonObject header, boolean access) throws RefusedToken {
        String type = switch (header.get("typ")) {
            case null -> ANY;
            case JsonString(String text) -> text.toLowerCase(Locale.ROOT);
            default -> "";
        };
        if (!ACCESS.contains(type) && (access || !type.equals(ANY))) {
            throw RefusedToken.invalid(
                    "its type is " + (access ? "not" : "neither JWT nor") + " at+jwt: send an access token");
        }
    }

    private static Algorithm algorithm(JsonObject header, Set<Algorithm> allowed) throws RefusedToken {
        if (header.get("alg") instanceof JsonString(String name)) {
            Optional<Algorithm> found = Algorithm.named(name).filter(allowed::contains);
            if (found.isPresent()) {
                return found.get();
            }
        }
        throw RefusedToken.invalid("it is signed in a way that this server does not take");
    }

    private static Optional<String> kid(JsonObject header) throws RefusedToken {
        return switch (header.get("kid")) {
            case null -> Optional.empty();
            case JsonString(String kid) when kid.length() <= LONGEST_KID -> Optional.of(kid);
            default -> throw RefusedToken.badSignature();
        };
    }
}
