package dev.flowstone.server.effect;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.connectors.secret.Hidden;
import dev.flowstone.outbound.HttpHeader;
import dev.flowstone.outbound.OutboundRequest;
import java.net.URLEncoder;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** A secret is found in whatever form a server repeats it. */
final class SecretFormsTest {
    private static final String SECRET = "pa\"ss/wo+rd=é!Zq";
    private static final OutboundRequest REQUEST = OutboundRequest.get("https://example.com/");

    private static String excerpt(String text) {
        return Excerpt.of(text, false, REQUEST, hidden(SECRET), 10_000).orElseThrow();
    }

    private static Hidden hidden(String... secrets) {
        return Hidden.of(Stream.of(secrets));
    }

    @Test
    void eachFormIsHidden() {
        byte[] bytes = SECRET.getBytes(UTF_8);
        for (String form : List.of(
                SECRET,
                "pa\\\"ss/wo+rd=é!Zq",
                URLEncoder.encode(SECRET, UTF_8),
                "pa%22ss%2fwo%2brd%3d%c3%a9!Zq",
                "pa%22ss%2Fwo%2Brd%3D%C3%A9%21Zq",
                "pa%2522ss%252Fwo%252brd%253D%25C3%25A9!Zq",
                "pa\\\"ss\\/wo+rd=é!Zq",
                "pa\\\\\\\"ss\\\\\\/wo+rd=é!Zq",
                "pa\\u0022ss/wo\\u002Brd\\u003d\\u00E9!Zq",
                "pa&quot;ss&#x2F;wo&#43;rd&#x003d;&#xe9;!Zq",
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
        assertEquals("[hidden] a%2Bcde", hidden("a+cde").in("a+cde a%2Bcde"));
        assertEquals("", hidden("abcdef").in(""));
    }

    @Test
    void spacesPercentSignsAndBackslashesAreFoundToo() {
        Hidden hidden = hidden("a b%25c\\d\\\\e");
        for (String form : List.of(
                "a b%25c\\d\\\\e",
                "a+b%2525c%5Cd%5C%5ce", "a%20b%2525c%5Cd%5C%5Ce", "a b%25c\\\\d\\\\\\\\e", "a b&#37;25c\\d\\\\e")) {
            assertEquals("<[hidden]>", hidden.in("<" + form + ">"), form);
        }
    }

    @Test
    void nothingIsLeftOfSecretsThatOverlapOrHaveOthersInThem() {
        Hidden hidden = hidden("abcdef", "efghijklm", "cde");

        assertEquals("1[hidden]2", hidden.in("1abcdefghijklm2"));
        assertEquals("[hidden][hidden]", hidden.in("abcdefabcdef"));
        assertEquals("abcd ef ghijklm", hidden.in("abcd ef ghijklm"));
    }

    @Test
    void theBeginningOfOneAtACutIsHidden() {
        Hidden hidden = hidden("hunter2+and/more");

        assertEquals("it is [hidden]", hidden.in("it is hunter2+and/mor", true));
        assertEquals("it is [hidden]", hidden.in("it is hunter2%2", true));
        assertEquals("it is [hidden]", hidden.in("it is hunter2\\u00", true));
        assertEquals("it is hunter2+and/mor", hidden.in("it is hunter2+and/mor", false));
        assertEquals("it is hunted", hidden.in("it is hunted", true));
    }

    @Test
    void namesAndNumbersAreTextsToo() throws Exception {
        Hidden hidden = hidden("123456", "hunter2");

        assertEquals(
                Calls.json("{\"[hidden]\": [\"[hidden]7\", 12345, \"-[hidden]\"]}"),
                hidden.in(Calls.json("{\"hunter2\": [1234567, 12345, -123456]}")));
    }

    @Test
    void anExcerptIsCutBeforeTheRestIsLookedAt() {
        String secret = "a".repeat(8_000);
        StringBuilder cookies = new StringBuilder();
        for (int i = 0; i < 400; i++) {
            cookies.append("aaaaaaaaaa").append(i).append(',');
        }
        OutboundRequest request =
                REQUEST.with(HttpHeader.secret("X-Key", secret), HttpHeader.secret("Cookie", cookies.toString()));

        String worst = Excerpt.of("a".repeat(1 << 20), false, request, hidden("b"), 1_000)
                .orElseThrow();
        assertTrue(worst.equals("[hidden]…") || worst.equals("…"), worst);
        String usual = Excerpt.of("x ".repeat(1 << 19), false, request, hidden("b"), 1_000)
                .orElseThrow();
        assertEquals("x ".repeat(500) + "…", usual);
    }

    /** What looks like the beginning of escapes, for a mebibyte, is looked at once. */
    @Test
    void escapesThatNeverEndAreNoWork() {
        Hidden hidden = hidden("hunter2+and/more");
        for (String endless : List.of("\\", "&", "%25", "&#", "+")) {
            String text = endless.repeat((1 << 20) / endless.length());
            assertEquals(text, assertTimeoutPreemptively(Duration.ofSeconds(30), () -> hidden.in(text)), endless);
        }
    }

    @Test
    void aRequestWithTooManySecretsShowsNoBody() {
        StringBuilder cookies = new StringBuilder();
        for (int i = 0; i < 1_001; i++) {
            cookies.append("cookie").append(i).append(';');
        }
        OutboundRequest request = REQUEST.with(HttpHeader.secret("Cookie", cookies.toString()));

        assertEquals(Optional.empty(), Excerpt.of("cookie1", false, request, hidden(), 1_000));
    }
}
