package dev.flowstone.server.effect;

import static java.nio.charset.StandardCharsets.UTF_8;

import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.outbound.Outcome;
import java.nio.ByteBuffer;
import java.nio.CharBuffer;
import java.nio.charset.Charset;
import java.nio.charset.CharsetDecoder;
import java.nio.charset.CodingErrorAction;
import java.util.Base64;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * An answer's body as a workflow sees it.
 *
 * @param is what the value is: {@code json}, {@code text}, {@code base64} or {@code none}
 */
record ResponseBody(JsonValue value, String is) {
    private static final ResponseBody NOTHING = new ResponseBody(JsonNull.NULL, "none");
    private static final Pattern CHARSET =
            Pattern.compile(";\\s*charset\\s*=\\s*\"?([A-Za-z0-9._:+-]{1,40})", Pattern.CASE_INSENSITIVE);

    /** Empty if JSON is demanded and it is none. */
    static Optional<ResponseBody> of(Outcome.Answer answer, ResponseForm form) {
        if (answer.body().length == 0 && !answer.truncated()) {
            return Optional.of(NOTHING);
        }
        return switch (form) {
            case AUTO -> Optional.of(fitting(answer));
            case JSON -> json(answer);
            case TEXT -> Optional.of(text(wellFormed(new String(answer.body(), charset(answer)))));
            case BASE64 -> Optional.of(base64(answer));
            case NONE -> Optional.of(NOTHING);
        };
    }

    /** As text, if it is some and not empty. */
    static Optional<String> readable(Outcome.Answer answer) {
        return isCompressed(answer) ? Optional.empty() : decoded(answer).filter(text -> !text.isEmpty());
    }

    private static ResponseBody fitting(Outcome.Answer answer) {
        if (isCompressed(answer)) {
            return base64(answer);
        }
        Optional<ResponseBody> json = saysItIsJson(answer) ? json(answer) : Optional.empty();
        return json.or(() -> decoded(answer).map(ResponseBody::text)).orElseGet(() -> base64(answer));
    }

    /** What was cut is no JSON, even if it could be read: {@code 1234} may have been the beginning of 12345. */
    private static Optional<ResponseBody> json(Outcome.Answer answer) {
        if (answer.truncated()) {
            return Optional.empty();
        }
        try {
            return Optional.of(new ResponseBody(JsonParser.parse(answer.body()), "json"));
        } catch (JsonSyntaxException e) {
            return Optional.empty();
        }
    }

    private static ResponseBody text(String text) {
        return new ResponseBody(new JsonString(text), "text");
    }

    private static ResponseBody base64(Outcome.Answer answer) {
        return new ResponseBody(new JsonString(Base64.getEncoder().encodeToString(answer.body())), "base64");
    }

    /**
     * Nothing if a byte fits no character, or a character is NUL or half of a surrogate pair, which no text has; half a character at a
     * cut is left out.
     */
    private static Optional<String> decoded(Outcome.Answer answer) {
        CharsetDecoder decoder = charset(answer)
                .newDecoder()
                .onMalformedInput(CodingErrorAction.REPORT)
                .onUnmappableCharacter(CodingErrorAction.REPORT);
        CharBuffer text =
                CharBuffer.allocate((int) Math.ceil(answer.body().length * (double) decoder.maxCharsPerByte()));
        if (decoder.decode(ByteBuffer.wrap(answer.body()), text, !answer.truncated())
                .isError()) {
            return Optional.empty();
        }
        return Optional.of(text.flip().toString())
                .filter(it -> it.indexOf('\0') < 0 && UTF_8.newEncoder().canEncode(it));
    }

    /** Without halves of surrogate pairs, which decoders such as that of UTF-32 let through. */
    private static String wellFormed(String text) {
        return new String(text.getBytes(UTF_8), UTF_8);
    }

    /** Whether its bytes are those of an encoding such as gzip. */
    static boolean isCompressed(Outcome.Answer answer) {
        return answer.values("Content-Encoding").stream().anyMatch(it -> !it.equalsIgnoreCase("identity"));
    }

    private static boolean saysItIsJson(Outcome.Answer answer) {
        String type = contentType(answer);
        int end = type.indexOf(';');
        String media = (end < 0 ? type : type.substring(0, end)).strip().toLowerCase(Locale.ROOT);
        return media.equals("application/json") || media.equals("text/json") || media.endsWith("+json");
    }

    /** As it says; UTF-8 if it says nothing, or something that this JVM doesn't know. */
    private static Charset charset(Outcome.Answer answer) {
        Matcher named = CHARSET.matcher(contentType(answer));
        try {
            return named.find() ? Charset.forName(named.group(1)) : UTF_8;
        } catch (IllegalArgumentException e) {
            return UTF_8;
        }
    }

    private static String contentType(Outcome.Answer answer) {
        List<String> types = answer.values("Content-Type");
        return types.isEmpty() ? "" : types.getFirst();
    }
}
