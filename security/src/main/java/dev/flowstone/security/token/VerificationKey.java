package dev.flowstone.security.token;

import static java.util.Objects.requireNonNull;

import com.nimbusds.jose.JOSEException;
import com.nimbusds.jose.JWSAlgorithm;
import com.nimbusds.jose.JWSHeader;
import com.nimbusds.jose.JWSVerifier;
import com.nimbusds.jose.crypto.ECDSAVerifier;
import com.nimbusds.jose.crypto.RSASSAVerifier;
import com.nimbusds.jose.jwk.Curve;
import com.nimbusds.jose.jwk.ECKey;
import com.nimbusds.jose.jwk.JWK;
import com.nimbusds.jose.jwk.OctetKeyPair;
import com.nimbusds.jose.jwk.RSAKey;
import com.nimbusds.jose.util.Base64URL;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.nio.charset.StandardCharsets;
import java.security.interfaces.RSAPublicKey;
import java.text.ParseException;
import java.util.Map;
import java.util.Optional;

/**
 * One public key that signatures are checked with, for the one purpose, kind and algorithm that it says it is for.
 *
 * @param own the only algorithm that it is for, if it says so
 */
record VerificationKey(Optional<String> kid, Algorithm.Family family, Optional<Algorithm> own, JWSVerifier verifier) {
    /** All that makes a public key: neither private parts nor certificates are looked at. */
    private static final String[] PARTS = {"kty", "crv", "x", "y", "n", "e"};

    private static final Map<Curve, Algorithm.Family> CURVES = Map.of(
            Curve.P_256, Algorithm.Family.P_256,
            Curve.P_384, Algorithm.Family.P_384,
            Curve.P_521, Algorithm.Family.P_521);

    static VerificationKey of(JsonValue value) throws KeySetException {
        if (!(value instanceof JsonObject jwk)) {
            throw new KeySetException("it is no JSON object");
        }
        purpose(jwk);
        Optional<Algorithm> own = own(jwk);
        VerificationKey key = key(text(jwk, "kid"), own, parsed(jwk));
        if (own.isPresent() && own.get().family() != key.family()) {
            throw new KeySetException("it is of another kind than its algorithm " + own.get());
        }
        return key;
    }

    boolean fits(Algorithm algorithm) {
        return algorithm.family() == family && (own.isEmpty() || own.get() == algorithm);
    }

    boolean verifies(CompactJws jws) {
        try {
            return verifier.verify(
                    new JWSHeader(JWSAlgorithm.parse(jws.algorithm().toString())),
                    jws.signed(),
                    Base64URL.encode(jws.signature()));
        } catch (JOSEException e) {
            return false;
        }
    }

    private static void purpose(JsonObject jwk) throws KeySetException {
        Optional<String> use = text(jwk, "use");
        if (use.isPresent() && !use.get().equals("sig")) {
            throw new KeySetException("its use is not sig");
        }
        JsonValue operations = jwk.get("key_ops");
        if (operations != null
                && !(operations instanceof JsonArray all && all.items().contains(new JsonString("verify")))) {
            throw new KeySetException("its key_ops have no verify");
        }
    }

    private static Optional<Algorithm> own(JsonObject jwk) throws KeySetException {
        Optional<String> name = text(jwk, "alg");
        Optional<Algorithm> algorithm = name.flatMap(Algorithm::named);
        if (name.isPresent() && algorithm.isEmpty()) {
            throw new KeySetException("its algorithm is none that tokens may be signed with");
        }
        return algorithm;
    }

    private static Optional<String> text(JsonObject jwk, String member) throws KeySetException {
        return switch (jwk.get(member)) {
            case null -> Optional.empty();
            case JsonString(String text) -> Optional.of(text);
            default -> throw new KeySetException("its '" + member + "' is no text");
        };
    }

    private static JWK parsed(JsonObject jwk) throws KeySetException {
        JsonObject.Builder parts = JsonObject.builder();
        for (String part : PARTS) {
            JsonValue value = jwk.get(part);
            if (value != null) {
                parts.put(part, value);
            }
        }
        try {
            return JWK.parse(new String(CanonicalJson.exact(parts.build()), StandardCharsets.UTF_8));
        } catch (ParseException | RuntimeException e) {
            throw new KeySetException("it is no RSA, EC or OKP key: " + e.getMessage());
        }
    }

    private static VerificationKey key(Optional<String> kid, Optional<Algorithm> own, JWK jwk) throws KeySetException {
        try {
            return switch (jwk) {
                case RSAKey rsa -> {
                    RSAPublicKey key = rsa.toRSAPublicKey();
                    WeakKeys.check(key);
                    yield new VerificationKey(kid, Algorithm.Family.RSA, own, new RSASSAVerifier(key));
                }
                case ECKey ec
                when CURVES.containsKey(ec.getCurve()) ->
                    new VerificationKey(
                            kid, requireNonNull(CURVES.get(ec.getCurve())), own, new ECDSAVerifier(ec.toECPublicKey()));
                case OctetKeyPair pair
                when pair.getCurve().equals(Curve.Ed25519) ->
                    new VerificationKey(kid, Algorithm.Family.ED25519, own, new Ed25519(pair.getDecodedX()));
                default -> throw new KeySetException("it is of a kind that tokens may not be signed with");
            };
        } catch (JOSEException | IllegalArgumentException | IllegalStateException e) {
            throw new KeySetException("it can't be used: " + e.getMessage());
        }
    }
}
