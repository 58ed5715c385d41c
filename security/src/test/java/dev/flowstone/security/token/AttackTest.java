package dev.flowstone.security.token;

import static dev.flowstone.security.token.Issuer.base64;
import static dev.flowstone.security.token.Issuer.claims;
import static dev.flowstone.security.token.Issuer.token;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Complete tokens of each kind of attack: each is refused for its reason, and nothing is thrown. */
final class AttackTest {
    private static final Issuer GOOD = new Issuer();
    private static final Issuer EVIL = new Issuer();
    private static final String RS256 = "{\"alg\":\"RS256\",\"kid\":\"rsa\"}";

    record Attack(String name, Refusal refusal, String token) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Attack invalid(String name, String token) {
        return new Attack(name, Refusal.TOKEN_INVALID, token);
    }

    private static byte[] hs256(byte[] secret, byte[] bytes) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret, "HmacSHA256"));
        return mac.doFinal(bytes);
    }

    private static String header(String alg, String kid, String more) {
        return "{\"alg\":\"" + alg + "\",\"kid\":\"" + kid + "\"" + more + "}";
    }

    static List<Attack> attacks() {
        List<Attack> attacks = new ArrayList<>(forged());
        attacks.addAll(misshapen());
        attacks.addAll(misused());
        attacks.addAll(wellSigned());
        return attacks;
    }

    /** Who has no key of the issuer signs in another way. */
    private static List<Attack> forged() {
        PublicKey known = GOOD.rsa.getPublic();
        byte[] pem = ("-----BEGIN PUBLIC KEY-----\n"
                        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(known.getEncoded())
                        + "\n-----END PUBLIC KEY-----\n")
                .getBytes(StandardCharsets.US_ASCII);
        String own = Issuer.jwk(EVIL.rsa.getPublic(), ",\"kid\":\"rsa\"");
        List<Attack> all = new ArrayList<>();
        for (String none : List.of("none", "None", "NONE", "nOnE", "")) {
            all.add(invalid(
                    "alg " + none + ", no signature", base64(header(none, "rsa", "")) + "." + base64(claims()) + "."));
            all.add(invalid("alg " + none + ", some signature", token(header(none, "rsa", ""), claims(), EVIL::rs256)));
        }
        all.addAll(List.of(
                invalid(
                        "HS256 with the public key",
                        token(header("HS256", "rsa", ""), claims(), it -> hs256(known.getEncoded(), it))),
                invalid(
                        "HS256 with the public key in PEM",
                        token(header("HS256", "rsa", ""), claims(), it -> hs256(pem, it))),
                invalid(
                        "HS256 without a key",
                        token(header("HS256", "rsa", ""), claims(), it -> hs256(new byte[1], it))),
                invalid("signed by somebody else", EVIL.token(claims())),
                invalid("embedded jwk", token(header("RS256", "rsa", ",\"jwk\":" + own), claims(), EVIL::rs256)),
                invalid(
                        "embedded jwk, other kid",
                        token(header("RS256", "evil", ",\"jwk\":" + own), claims(), EVIL::rs256)),
                invalid(
                        "jku",
                        token(header("RS256", "rsa", ",\"jku\":\"https://evil.example/\""), claims(), EVIL::rs256)),
                invalid(
                        "x5u",
                        token(header("RS256", "rsa", ",\"x5u\":\"https://evil.example/\""), claims(), EVIL::rs256)),
                invalid("x5c", token(header("RS256", "rsa", ",\"x5c\":[\"MIIB\"]"), claims(), EVIL::rs256)),
                invalid("unknown kid", token(header("RS256", "no", ""), claims(), GOOD::rs256)),
                invalid("kid of another kind", token(header("RS256", "ec", ""), claims(), GOOD::rs256)),
                invalid("kid as a path", token(header("RS256", "../../dev/null", ""), claims(), EVIL::rs256)),
                invalid("kid as SQL", token(header("RS256", "x' OR '1'='1", ""), claims(), EVIL::rs256)),
                invalid("RSA key, ES256", token(header("ES256", "rsa", ""), claims(), EVIL::es256)),
                invalid("RS256 said, PS256 signed", token(RS256, claims(), GOOD::ps256)),
                invalid("ES256 of zeros", token(header("ES256", "ec", ""), claims(), _ -> new byte[64])),
                invalid("ES256 of nothing", token(header("ES256", "ec", ""), claims(), _ -> new byte[1])),
                invalid("EdDSA of zeros", token(header("EdDSA", "ed", ""), claims(), _ -> new byte[64])),
                invalid("RS384, not allowed", token(header("RS384", "rsa", ""), claims(), GOOD::rs256))));
        return all;
    }

    /** With the issuer's own key, so that nothing but the header's one member is the matter. */
    private static List<Attack> wellSigned() {
        String own = Issuer.jwk(GOOD.rsa.getPublic(), "");
        return Map.of(
                        "jwk", own,
                        "jku", "\"https://login.example/jwks\"",
                        "x5u", "\"https://login.example/cert\"",
                        "x5c", "[\"MIIB\"]",
                        "crit", "[\"alg\"]",
                        "b64", "true",
                        "zip", "\"DEF\"",
                        "enc", "\"A256GCM\"")
                .entrySet()
                .stream()
                .flatMap(member -> Stream.of(member.getValue(), "null")
                        .map(value -> invalid(
                                member.getKey() + " " + value + ", well signed",
                                token(
                                        header("RS256", "rsa", ",\"" + member.getKey() + "\":" + value),
                                        claims(),
                                        GOOD::rs256))))
                .toList();
    }

    private static List<Attack> misshapen() {
        String good = GOOD.token(claims());
        String[] parts = good.split("\\.", -1);
        String signature = parts[2];
        String flipped = (signature.charAt(0) == 'A' ? "B" : "A") + signature.substring(1);
        return List.of(
                invalid("nothing", ""),
                invalid("dots", ".."),
                invalid("garbage", "\0\uFFFF\uD800 garbage"),
                invalid("signature stripped", parts[0] + "." + parts[1] + "."),
                invalid("signature and dot stripped", parts[0] + "." + parts[1]),
                invalid("signature changed", parts[0] + "." + parts[1] + "." + flipped),
                invalid("signature cut", good.substring(0, good.length() - 8)),
                invalid("another payload", parts[0] + "." + base64(claims(",\"x\":1")) + "." + signature),
                invalid("four parts", good + "." + signature),
                invalid("five parts, as encrypted", good + "." + signature + "." + signature),
                invalid("padded", parts[0] + "=." + parts[1] + "." + signature),
                invalid("white space", parts[0] + " ." + parts[1] + "." + signature),
                invalid("JSON form", "{\"payload\":\"" + parts[1] + "\",\"protected\":\"" + parts[0] + "\"}"),
                invalid("header no JSON", base64("{") + "." + parts[1] + "." + signature),
                invalid("header no object", base64("[]") + "." + parts[1] + "." + signature),
                invalid(
                        "alg twice",
                        token("{\"alg\":\"none\",\"alg\":\"RS256\",\"kid\":\"rsa\"}", claims(), GOOD::rs256)),
                invalid("alg missing", token("{\"kid\":\"rsa\"}", claims(), GOOD::rs256)),
                invalid("alg a list", token("{\"alg\":[\"RS256\"],\"kid\":\"rsa\"}", claims(), GOOD::rs256)),
                invalid("crit", token(header("RS256", "rsa", ",\"crit\":[\"exp\"],\"exp\":1"), claims(), GOOD::rs256)),
                invalid("crit, empty", token(header("RS256", "rsa", ",\"crit\":[]"), claims(), GOOD::rs256)),
                invalid(
                        "b64 false",
                        token(header("RS256", "rsa", ",\"b64\":false,\"crit\":[\"b64\"]"), claims(), GOOD::rs256)),
                invalid(
                        "b64 false, not critical",
                        token(header("RS256", "rsa", ",\"b64\":false"), claims(), GOOD::rs256)),
                invalid(
                        "typ of another kind",
                        token(header("RS256", "rsa", ",\"typ\":\"dpop+jwt\""), claims(), GOOD::rs256)),
                invalid("payload no JSON", token(RS256, "hello", GOOD::rs256)),
                invalid("payload a list", token(RS256, "[" + claims() + "]", GOOD::rs256)),
                invalid("payload deep", token(RS256, "[".repeat(2_000) + "]".repeat(2_000), GOOD::rs256)),
                invalid("claims twice", GOOD.token(claims(",\"tenant_id\":\"globex\""))),
                new Attack("huge", Refusal.TOKEN_TOO_LARGE, GOOD.token(claims(",\"x\":\"" + "y".repeat(9_000) + "\""))),
                new Attack("a megabyte", Refusal.TOKEN_TOO_LARGE, "a.".repeat(1 << 19)));
    }

    /** Tokens of the issuer that are not for this, or not now. */
    private static List<Attack> misused() {
        long now = Issuer.NOW.getEpochSecond();
        return List.of(
                new Attack("expired", Refusal.TOKEN_EXPIRED, GOOD.token(with("exp", Long.toString(now - 3_600)))),
                new Attack("not yet", Refusal.TOKEN_NOT_YET_VALID, GOOD.token(claims(",\"nbf\":" + (now + 3_600)))),
                new Attack(
                        "from the future",
                        Refusal.TOKEN_NOT_YET_VALID,
                        GOOD.token(claims(",\"iat\":" + (now + 3_600)))),
                new Attack(
                        "wrong issuer",
                        Refusal.TOKEN_WRONG_ISSUER,
                        GOOD.token(with("iss", "\"https://login.example\""))),
                new Attack(
                        "issuer missing",
                        Refusal.TOKEN_WRONG_ISSUER,
                        GOOD.token(with("no", "1").replace("iss", "isz"))),
                new Attack("wrong audience", Refusal.TOKEN_WRONG_AUDIENCE, GOOD.token(with("aud", "\"other\""))),
                new Attack(
                        "audience missing", Refusal.TOKEN_WRONG_AUDIENCE, GOOD.token(claims().replace("aud", "aux"))),
                new Attack(
                        "part of an audience", Refusal.TOKEN_WRONG_AUDIENCE, GOOD.token(with("aud", "\"flowstone2\""))),
                new Attack(
                        "tenant missing", Refusal.TOKEN_WITHOUT_TENANT, GOOD.token(claims().replace("tenant_id", "x"))),
                new Attack("tenant empty", Refusal.TOKEN_WITHOUT_TENANT, GOOD.token(with("tenant_id", "\"\""))),
                new Attack("tenant a list", Refusal.TOKEN_WITHOUT_TENANT, GOOD.token(with("tenant_id", "[\"acme\"]"))),
                new Attack("tenant a path", Refusal.TOKEN_WITHOUT_TENANT, GOOD.token(with("tenant_id", "\"../acme\""))),
                new Attack(
                        "tenant with a NUL",
                        Refusal.TOKEN_WITHOUT_TENANT,
                        GOOD.token(with("tenant_id", "\"a\\u0000\""))),
                invalid("exp missing", GOOD.token(claims().replace("exp", "exq"))),
                invalid("exp a text", GOOD.token(with("exp", "\"" + (now + 300) + "\""))),
                invalid("exp never", GOOD.token(with("exp", "1e30"))),
                invalid("exp with a thousand digits", GOOD.token(with("exp", "9".repeat(1_000)))),
                invalid("nbf a text", GOOD.token(claims(",\"nbf\":\"now\""))),
                invalid("sub missing", GOOD.token(claims().replace("sub", "sux"))),
                invalid("sub with a line", GOOD.token(with("sub", "\"U1\\nuser:root\""))),
                invalid("sub a number", GOOD.token(with("sub", "1"))),
                invalid("roles numbers", GOOD.token(claims(",\"roles\":[1]"))),
                invalid("scope an object", GOOD.token(claims(",\"scope\":{}"))));
    }

    private static String with(String claim, String value) {
        return claims().replaceFirst(
                        "\"" + claim + "\":(\"[^\"]*\"|[0-9]+)", "\"" + claim + "\":" + value.replace("\\", "\\\\"));
    }

    @ParameterizedTest
    @MethodSource("attacks")
    void isRefused(Attack attack) throws InterruptedException {
        Verdict verdict = GOOD.verifier().verify(attack.token());

        assertTrue(verdict instanceof Verdict.Refused, () -> attack + ": " + verdict);
        Verdict.Refused refused = (Verdict.Refused) verdict;
        assertEquals(attack.refusal(), refused.refusal(), refused::detail);
        assertTrue(refused.detail().chars().noneMatch(Character::isISOControl), refused::detail);
        assertTrue(refused.detail().length() < 300, refused::detail);
    }

    /** One bit of a good token, wherever it is, makes it another. */
    @Test
    void noBitOfItCanBeChanged() throws InterruptedException {
        TokenVerifier verifier = GOOD.verifier();
        byte[] good =
                Issuer.token(header("ES256", "ec", ""), claims(), GOOD::es256).getBytes(StandardCharsets.US_ASCII);
        for (int at = 0; at < good.length; at++) {
            byte[] changed = Arrays.copyOf(good, good.length);
            changed[at] ^= 1;
            Verdict verdict = verifier.verify(new String(changed, StandardCharsets.US_ASCII));
            assertTrue(verdict instanceof Verdict.Refused, "character " + at);
        }
    }
}
