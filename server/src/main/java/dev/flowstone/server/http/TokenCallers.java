package dev.flowstone.server.http;

import static java.util.Objects.requireNonNull;

import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.util.regex.Pattern;

/**
 * Callers who know one secret, which every one of them shares: whoever has it runs the installation, and names the tenant, the
 * principal and its roles in headers as on the loopback interface.
 */
public final class TokenCallers implements Callers {
    private static final Pattern TOKEN = Pattern.compile("[!-~]{32,500}");

    private final byte[] token;
    private final Callers trusted;

    /**
     * @param token 32 to 500 printable ASCII characters without a space
     * @param trusted who tells of a request with the token who its caller is
     */
    public TokenCallers(String token, Callers trusted) {
        if (!isToken(token)) {
            throw new IllegalArgumentException("that is no token");
        }
        this.token = token.getBytes(StandardCharsets.US_ASCII);
        this.trusted = requireNonNull(trusted);
    }

    /** Whether it is long enough, and can be sent in a header. */
    public static boolean isToken(String text) {
        return TOKEN.matcher(text).matches();
    }

    @Override
    public Caller identify(Headers headers) throws ProblemException {
        if (!isTheirs(Bearer.token(headers.single(Bearer.HEADER)))) {
            throw Bearer.refused("the token sent as Authorization is not this server's");
        }
        return trusted.identify(headers);
    }

    /** Whether it is the secret, told in the same time for every wrong one, however much of it is right. */
    boolean isTheirs(String sent) {
        return MessageDigest.isEqual(token, sent.getBytes(StandardCharsets.UTF_8));
    }
}
