package dev.flowstone.testkit.token;

import static dev.flowstone.testkit.token.Issuer.base64;
import static dev.flowstone.testkit.token.Issuer.token;
import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.PublicKey;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import javax.crypto.Mac;
import javax.crypto.spec.SecretKeySpec;

/** Complete tokens of each kind of attack on whoever takes an issuer's, allows RS256, PS256, ES256 and EdDSA, and knows its three keys. */
public final class TokenAttacks {
    private static final String RS256 = "{\"alg\":\"RS256\",\"kid\":\"rsa\"}";

    private final Issuer good;
    private final Issuer evil;
    private final Instant now;

    private TokenAttacks(Issuer good, Issuer evil, Instant now) {
        this.good = requireNonNull(good);
        this.evil = requireNonNull(evil);
        this.now = requireNonNull(now);
    }

    /**
     * All of them.
     *
     * @param good who is attacked
     * @param evil whose keys nobody trusts
     * @param now when that happens
     */
    public static List<TokenAttack> of(Issuer good, Issuer evil, Instant now) {
        TokenAttacks of = new TokenAttacks(good, evil, now);
        List<TokenAttack> all = new ArrayList<>(of.forged());
        all.addAll(of.misshapen());
        all.addAll(of.misused());
        all.addAll(of.wellSigned());
        return List.copyOf(all);
    }

    private String claims() {
        return claims("");
    }

    private String claims(String more) {
        return Issuer.claims(now, more);
    }

    private static TokenAttack invalid(String name, String token) {
        return new TokenAttack(name, "TOKEN_INVALID", token);
    }

    private static byte[] hs256(byte[] secret, byte[] bytes) throws GeneralSecurityException {
        Mac mac = Mac.getInstance("HmacSHA256");
        mac.init(new SecretKeySpec(secret, "HmacSHA256"));
        return mac.doFinal(bytes);
    }

    private static String header(String alg, String kid, String more) {
        return "{\"alg\":\"" + alg + "\",\"kid\":\"" + kid + "\"" + more + "}";
    }

    /** Who has no key of the issuer signs in another way. */
    private List<TokenAttack> forged() {
        PublicKey known = good.rsa();
        byte[] pem = ("-----BEGIN PUBLIC KEY-----\n"
                        + Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(known.getEncoded())
                        + "\n-----END PUBLIC KEY-----\n")
                .getBytes(StandardCharsets.US_ASCII);
        String own = Issuer.jwk(evil.rsa(), ",\"kid\":\"rsa\"");
        List<TokenAttack> all = new ArrayList<>();
        for (String none : List.of("none", "None", "NONE", "nOnE", "")) {
            all.add(invalid(
                    "alg " + none + ", no signature", base64(header(none, "rsa", "")) + "." + base64(claims()) + "."));
            all.add(invalid("alg " + none + ", some signature", token(header(none, "rsa", ""), claims(), evil::rs256)));
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
                invalid("signed by somebody else", evil.token(claims())),
                invalid("embedded jwk", token(header("RS256", "rsa", ",\"jwk\":" + own), claims(), evil::rs256)),
                invalid(
                        "embedded jwk, other kid",
                        token(header("RS256", "evil", ",\"jwk\":" + own), claims(), evil::rs256)),
                invalid(
                        "jku",
                        token(header("RS256", "rsa", ",\"jku\":\"https://evil.example/\""), claims(), evil::rs256)),
                invalid(
                        "x5u",
                        token(header("RS256", "rsa", ",\"x5u\":\"https://evil.example/\""), claims(), evil::rs256)),
                invalid("x5c", token(header("RS256", "rsa", ",\"x5c\":[\"MIIB\"]"), claims(), evil::rs256)),
                invalid("unknown kid", token(header("RS256", "no", ""), claims(), good::rs256)),
                invalid("kid of another kind", token(header("RS256", "ec", ""), claims(), good::rs256)),
                invalid("kid as a path", token(header("RS256", "../../dev/null", ""), claims(), evil::rs256)),
                invalid("kid as SQL", token(header("RS256", "x' OR '1'='1", ""), claims(), evil::rs256)),
                invalid("RSA key, ES256", token(header("ES256", "rsa", ""), claims(), evil::es256)),
                invalid("RS256 said, PS256 signed", token(RS256, claims(), good::ps256)),
                invalid("ES256 of zeros", token(header("ES256", "ec", ""), claims(), _ -> new byte[64])),
                invalid("ES256 of nothing", token(header("ES256", "ec", ""), claims(), _ -> new byte[1])),
                invalid("ES256 in DER", token(header("ES256", "ec", ""), claims(), good::es256InDer)),
                invalid("EdDSA of zeros", token(header("EdDSA", "ed", ""), claims(), _ -> new byte[64])),
                invalid("RS384, not allowed", token(header("RS384", "rsa", ""), claims(), good::rs256))));
        return all;
    }

    /** With the issuer's own key, so that nothing but the header's one member is the matter. */
    private List<TokenAttack> wellSigned() {
        String own = Issuer.jwk(good.rsa(), "");
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
                                        good::rs256))))
                .toList();
    }

    private List<TokenAttack> misshapen() {
        String whole = good.token(claims());
        String[] parts = whole.split("\\.", -1);
        String signature = parts[2];
        String flipped = (signature.charAt(0) == 'A' ? "B" : "A") + signature.substring(1);
        return List.of(
                invalid("nothing", ""),
                invalid("dots", ".."),
                invalid("garbage", "\0\uFFFF\uD800 garbage"),
                invalid("signature stripped", parts[0] + "." + parts[1] + "."),
                invalid("signature and dot stripped", parts[0] + "." + parts[1]),
                invalid("signature changed", parts[0] + "." + parts[1] + "." + flipped),
                invalid("signature cut", whole.substring(0, whole.length() - 8)),
                invalid("another payload", parts[0] + "." + base64(claims(",\"x\":1")) + "." + signature),
                invalid("four parts", whole + "." + signature),
                invalid("five parts, as encrypted", whole + "." + signature + "." + signature),
                invalid("padded", parts[0] + "=." + parts[1] + "." + signature),
                invalid("white space", parts[0] + " ." + parts[1] + "." + signature),
                invalid("JSON form", "{\"payload\":\"" + parts[1] + "\",\"protected\":\"" + parts[0] + "\"}"),
                invalid("header no JSON", base64("{") + "." + parts[1] + "." + signature),
                invalid("header no object", base64("[]") + "." + parts[1] + "." + signature),
                invalid(
                        "alg twice",
                        token("{\"alg\":\"none\",\"alg\":\"RS256\",\"kid\":\"rsa\"}", claims(), good::rs256)),
                invalid("alg missing", token("{\"kid\":\"rsa\"}", claims(), good::rs256)),
                invalid("alg a list", token("{\"alg\":[\"RS256\"],\"kid\":\"rsa\"}", claims(), good::rs256)),
                invalid("crit", token(header("RS256", "rsa", ",\"crit\":[\"exp\"],\"exp\":1"), claims(), good::rs256)),
                invalid("crit, empty", token(header("RS256", "rsa", ",\"crit\":[]"), claims(), good::rs256)),
                invalid(
                        "b64 false",
                        token(header("RS256", "rsa", ",\"b64\":false,\"crit\":[\"b64\"]"), claims(), good::rs256)),
                invalid(
                        "b64 false, not critical",
                        token(header("RS256", "rsa", ",\"b64\":false"), claims(), good::rs256)),
                invalid(
                        "typ of another kind",
                        token(header("RS256", "rsa", ",\"typ\":\"dpop+jwt\""), claims(), good::rs256)),
                invalid("payload no JSON", token(RS256, "hello", good::rs256)),
                invalid("payload a list", token(RS256, "[" + claims() + "]", good::rs256)),
                invalid("payload deep", token(RS256, "[".repeat(2_000) + "]".repeat(2_000), good::rs256)),
                invalid("claims twice", good.token(claims(",\"tenant_id\":\"globex\""))),
                new TokenAttack("huge", "TOKEN_TOO_LARGE", good.token(claims(",\"x\":\"" + "y".repeat(9_000) + "\""))),
                new TokenAttack("a megabyte", "TOKEN_TOO_LARGE", "a.".repeat(1 << 19)));
    }

    /** Tokens of the issuer that are not for this, or not now. */
    private List<TokenAttack> misused() {
        long at = now.getEpochSecond();
        return List.of(
                new TokenAttack("expired", "TOKEN_EXPIRED", good.token(with("exp", Long.toString(at - 3_600)))),
                new TokenAttack("not yet", "TOKEN_NOT_YET_VALID", good.token(claims(",\"nbf\":" + (at + 3_600)))),
                new TokenAttack(
                        "from the future", "TOKEN_NOT_YET_VALID", good.token(claims(",\"iat\":" + (at + 3_600)))),
                new TokenAttack(
                        "wrong issuer", "TOKEN_WRONG_ISSUER", good.token(with("iss", "\"https://login.example\""))),
                new TokenAttack(
                        "issuer missing",
                        "TOKEN_WRONG_ISSUER",
                        good.token(with("no", "1").replace("iss", "isz"))),
                new TokenAttack("wrong audience", "TOKEN_WRONG_AUDIENCE", good.token(with("aud", "\"other\""))),
                new TokenAttack("audience missing", "TOKEN_WRONG_AUDIENCE", good.token(claims().replace("aud", "aux"))),
                new TokenAttack(
                        "part of an audience", "TOKEN_WRONG_AUDIENCE", good.token(with("aud", "\"flowstone2\""))),
                new TokenAttack(
                        "tenant missing", "TOKEN_WITHOUT_TENANT", good.token(claims().replace("tenant_id", "x"))),
                new TokenAttack("tenant empty", "TOKEN_WITHOUT_TENANT", good.token(with("tenant_id", "\"\""))),
                new TokenAttack("tenant a list", "TOKEN_WITHOUT_TENANT", good.token(with("tenant_id", "[\"acme\"]"))),
                new TokenAttack("tenant a path", "TOKEN_WITHOUT_TENANT", good.token(with("tenant_id", "\"../acme\""))),
                new TokenAttack(
                        "tenant with a NUL", "TOKEN_WITHOUT_TENANT", good.token(with("tenant_id", "\"a\\u0000\""))),
                invalid("exp missing", good.token(claims().replace("exp", "exq"))),
                invalid("exp a text", good.token(with("exp", "\"" + (at + 300) + "\""))),
                invalid("exp never", good.token(with("exp", "1e30"))),
                invalid("exp with a thousand digits", good.token(with("exp", "9".repeat(1_000)))),
                invalid("nbf a text", good.token(claims(",\"nbf\":\"now\""))),
                invalid("sub missing", good.token(claims().replace("sub", "sux"))),
                invalid("sub with a line", good.token(with("sub", "\"U1\\nuser:root\""))),
                invalid("sub a number", good.token(with("sub", "1"))),
                invalid("roles numbers", good.token(claims(",\"roles\":[1]"))),
                invalid("scope an object", good.token(claims(",\"scope\":{}"))));
    }

    private String with(String claim, String value) {
        return claims().replaceFirst(
                        "\"" + claim + "\":(\"[^\"]*\"|[0-9]+)", "\"" + claim + "\":" + value.replace("\\", "\\\\"));
    }
}
