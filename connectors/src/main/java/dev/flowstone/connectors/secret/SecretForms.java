package dev.flowstone.connectors.secret;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Base64;
import java.util.HexFormat;
import java.util.stream.IntStream;
import java.util.stream.Stream;

/** The forms in which a secret may stand in a text: as it is, or as JSON, HTML, URLs, Base64 and hexadecimal digits write it. */
final class SecretForms {
    /** What is derived from shorter ones is found in texts by chance. */
    private static final int SHORTEST = 6;

    private static final int BITS = 8;
    private static final int BITS_OF_BASE64 = 6;
    private static final int BYTES_OF_GROUP = 3;

    private SecretForms() {}

    /** The secret first; some may be equal. */
    static Stream<SecretForm> of(String secret) {
        if (secret.length() < SHORTEST) {
            return Stream.of(SecretForm.exact(secret));
        }
        byte[] bytes = secret.getBytes(UTF_8);
        String hex = HexFormat.of().formatHex(bytes);
        Stream<SecretForm> plain = Stream.of(
                SecretForm.escaped(secret),
                SecretForm.exact(hex),
                SecretForm.exact(HexFormat.of().withUpperCase().formatHex(bytes)));
        return Stream.concat(
                plain,
                IntStream.range(0, BYTES_OF_GROUP)
                        .boxed()
                        .flatMap(shift -> Stream.of(
                                base64(Base64.getEncoder(), bytes, shift),
                                base64(Base64.getUrlEncoder(), bytes, shift)))
                        .map(SecretForm::escaped));
    }

    /** Those digits that nothing else has a part in, if it stands behind so many other bytes of a group. */
    private static String base64(Base64.Encoder encoder, byte[] secret, int shift) {
        byte[] shifted = new byte[shift + secret.length];
        System.arraycopy(secret, 0, shifted, shift, secret.length);
        String text = encoder.withoutPadding().encodeToString(shifted);
        int first = (shift * BITS + BITS_OF_BASE64 - 1) / BITS_OF_BASE64;
        return text.substring(first, shifted.length * BITS / BITS_OF_BASE64);
    }
}
