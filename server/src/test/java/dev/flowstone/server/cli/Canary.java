package dev.flowstone.server.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.net.URLEncoder;
import java.util.Base64;
import java.util.HexFormat;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;

/**
 * A secret that is recognised wherever it turns up: as it is, either half of it, or written as JSON, URLs, Base64 and hexadecimal digits
 * write it. Written anew, so that it doesn't trust what hides secrets.
 *
 * @param name of what it opens
 */
record Canary(String name, String value) {
    /** All that must not be seen of it. */
    Set<String> forms() {
        Set<String> forms = new TreeSet<>();
        int half = value.length() / 2;
        for (String part : List.of(value, value.substring(0, half), value.substring(half))) {
            forms.add(part);
            forms.add(part.replace("\"", "\\\""));
            forms.add(URLEncoder.encode(part, UTF_8));
            forms.add(lowerPercent(part));
            forms.add(URLEncoder.encode(part, UTF_8).replace("%", "%25"));
            forms.add(part.replace("\"", "\\\"").replace("/", "\\/"));
            forms.add(unicode(part));
            forms.add(HexFormat.of().formatHex(part.getBytes(UTF_8)));
            forms.add(HexFormat.of().withUpperCase().formatHex(part.getBytes(UTF_8)));
            for (int shift = 0; shift < 3; shift++) {
                String shifted = "\0".repeat(shift) + part;
                int whole = shifted.length() * 4 / 3;
                for (Base64.Encoder encoder : List.of(Base64.getEncoder(), Base64.getUrlEncoder())) {
                    forms.add(encoder.encodeToString(shifted.getBytes(UTF_8))
                            .substring(shift == 0 ? 0 : shift + 1, whole));
                }
            }
        }
        return forms;
    }

    /** As .NET writes URLs: digits are lower, letters are as they were. */
    static String lowerPercent(String text) {
        return Pattern.compile("%..")
                .matcher(URLEncoder.encode(text, UTF_8))
                .replaceAll(found -> found.group().toLowerCase(Locale.ROOT));
    }

    /** As .NET writes JSON. */
    static String unicode(String text) {
        StringBuilder written = new StringBuilder();
        text.chars()
                .forEach(c -> written.append(
                        Character.isLetterOrDigit(c)
                                ? Character.toString(c)
                                : String.format(Locale.ROOT, "\\u%04X", c)));
        return written.toString();
    }

    /** Where it was seen, with what stands around it; nothing if it wasn't. */
    List<String> in(String place, String text) {
        return forms().stream()
                .filter(text::contains)
                .map(form -> name + " in " + place + ": …" + around(text, text.indexOf(form), form.length()) + "…")
                .toList();
    }

    private static String around(String text, int at, int length) {
        return text.substring(Math.max(0, at - 100), Math.min(text.length(), at + length + 40));
    }
}
