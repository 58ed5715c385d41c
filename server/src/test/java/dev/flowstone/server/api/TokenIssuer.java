package dev.flowstone.server.api;

import java.io.IOException;
import java.math.BigInteger;
import java.nio.charset.StandardCharsets;
import java.security.GeneralSecurityException;
import java.security.KeyPair;
import java.security.KeyPairGenerator;
import java.security.Signature;
import java.security.interfaces.RSAPublicKey;
import java.time.Instant;
import java.util.Base64;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Function;

/** Signs tokens, and shows its keys on the loopback interface. */
public final class TokenIssuer implements AutoCloseable {
    static final String ISSUER = "https://login.example/";
    public static final String HEADER = "{\"alg\":\"RS256\",\"kid\":\"k1\",\"typ\":\"at+jwt\"}";

    /** Where the keys are, too, whatever it answers at its own place. */
    static final String ELSEWHERE = "/elsewhere";

    private final KeyPair keys;
    private final HttpPeer server;

    /** What it answers who asks for its keys. */
    final AtomicInteger status = new AtomicInteger(200);

    /** What it answers instead, if anything. */
    private final Function<String, Optional<HttpPeer.Reply>> otherwise;

    public TokenIssuer() throws IOException, GeneralSecurityException {
        this(_ -> Optional.empty());
    }

    /** @param otherwise by its keys, what it answers instead of them */
    TokenIssuer(Function<String, Optional<HttpPeer.Reply>> otherwise) throws IOException, GeneralSecurityException {
        this.otherwise = otherwise;
        keys = KeyPairGenerator.getInstance("RSA").generateKeyPair();
        server = new HttpPeer(got -> answer(got.uri()));
    }

    private HttpPeer.Reply answer(String path) {
        if (path.equals(ELSEWHERE)) {
            return HttpPeer.Reply.json(jwks());
        }
        return otherwise
                .apply(jwks())
                .orElseGet(() -> status.get() == 200 ? HttpPeer.Reply.json(jwks()) : HttpPeer.Reply.of(status.get()));
    }

    String url() {
        return server.url("/jwks");
    }

    /** Settings by which a server takes its tokens, and nobody without one. */
    public Map<String, String> settings(String... more) {
        Map<String, String> settings = new HashMap<>(Map.of(
                "auth.loose", "false",
                "auth.jwt.issuer", ISSUER,
                "auth.jwt.audience", "flowstone",
                "auth.jwt.keys", url(),
                "rate.callsPerMinute", "0"));
        for (int i = 0; i < more.length; i += 2) {
            settings.put(more[i], more[i + 1]);
        }
        return settings;
    }

    String jwks() {
        RSAPublicKey key = (RSAPublicKey) keys.getPublic();
        return "{\"keys\":[{\"kty\":\"RSA\",\"kid\":\"k1\",\"use\":\"sig\",\"alg\":\"RS256\",\"n\":\""
                + base64(key.getModulus()) + "\",\"e\":\"" + base64(key.getPublicExponent()) + "\"}]}";
    }

    private static String base64(BigInteger value) {
        byte[] bytes = value.toByteArray();
        int from = bytes[0] == 0 ? 1 : 0;
        byte[] unsigned = new byte[bytes.length - from];
        System.arraycopy(bytes, from, unsigned, 0, unsigned.length);
        return base64(unsigned);
    }

    static String base64(byte[] bytes) {
        return Base64.getUrlEncoder().withoutPadding().encodeToString(bytes);
    }

    static String base64(String text) {
        return base64(text.getBytes(StandardCharsets.UTF_8));
    }

    /** Of a user; {@code more} begins with a comma. */
    public static String claims(String subject, String tenant, String scopes, String more) {
        return "{\"iss\":\"" + ISSUER + "\",\"aud\":[\"flowstone\"],\"sub\":\"" + subject + "\",\"tenant_id\":\""
                + tenant + "\",\"scope\":\"" + scopes + "\",\"exp\":"
                + (Instant.now().getEpochSecond() + 300) + more + "}";
    }

    public String signed(String header, String claims) {
        String signed = base64(header) + "." + base64(claims);
        try {
            Signature signature = Signature.getInstance("SHA256withRSA");
            signature.initSign(keys.getPrivate());
            signature.update(signed.getBytes(StandardCharsets.US_ASCII));
            return signed + "." + base64(signature.sign());
        } catch (GeneralSecurityException e) {
            throw new IllegalStateException(e);
        }
    }

    byte[] publicKey() {
        return keys.getPublic().getEncoded();
    }

    /** A header and its value, of a user with these scopes. */
    public String[] bearer(String subject, String tenant, String scopes) {
        return bearer(signed(HEADER, claims(subject, tenant, scopes, "")));
    }

    public static String[] bearer(String token) {
        return new String[] {"Authorization", "Bearer " + token};
    }

    @Override
    public void close() {
        server.close();
    }
}
