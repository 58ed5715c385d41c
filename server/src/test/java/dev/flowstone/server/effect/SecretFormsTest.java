package dev.flowstone.server.effect;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.outbound.OutboundRequest;
import java.net.URLEncoder;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import org.junit.jupiter.api.Test;

/** A secret is found in whatever form a server repeats it. */
final class SecretFormsTest {
    private static final String SECRET = "pa\"ss/wo+rd=é!Zq";
    private static final OutboundRequest REQUEST = OutboundRequest.get("https://example.com/");

    private static String excerpt(String text) {
        return Excerpt.of(text, REQUEST, List.of(SECRET), 10_000);
    }

    @Test
    void eachFormIsHidden() {
        byte[] bytes = SECRET.getBytes(UTF_8);
        for (String form : List.of(
                SECRET,
                "pa\\\"ss/wo+rd=é!Zq",
                URLEncoder.encode(SECRET, UTF_8),
                HexFormat.of().formatHex(bytes),
                HexFormat.of().withUpperCase().formatHex(bytes))) {
            assertEquals("it was [hidden], you know", excerpt("it was " + form + ", you know"), form);
        }
    }

    /** Whatever stands before and behind it, what is left can't be decoded to more than a letter or two of it. */
    @Test
    void inBase64ItIsHiddenWhereverItStands() {
        for (String before : List.of("", "a", "ab", "user:", "Bearer ")) {
            for (String behind : List.of("", "x", "xy", "xyz")) {
                byte[] all = (before + SECRET + behind).getBytes(UTF_8);
                for (Base64.Encoder encoder : List.of(Base64.getEncoder(), Base64.getUrlEncoder())) {
                    String clean = excerpt(encoder.encodeToString(all));
                    assertTrue(clean.contains("[hidden]"), () -> before + "." + behind + ": " + clean);
                    assertTrue(clean.length() <= "[hidden]".length() + 18, clean);
                }
            }
        }
    }

    @Test
    void shortOnesAreOnlyHiddenAsTheyAre() {
        assertEquals(List.of("abcde"), SecretForms.of("abcde").toList());
        assertFalse(SecretForms.of("abcdef").toList().contains(""));
    }
}
