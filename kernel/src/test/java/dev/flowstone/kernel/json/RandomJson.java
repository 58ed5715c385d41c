package dev.flowstone.kernel.json;

import java.math.BigDecimal;
import java.math.BigInteger;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.random.RandomGenerator;

/** Seeded random values, and random ways to write one value. */
final class RandomJson {
    private static final String[] TEXTS = {
        "", "a", "id", "näme", "日本語", "😂", "\u0000", "\"\\/\b\f\n\r\t", "\u007f", "~/", "\ufb33", "\u2028"
    };

    private final RandomGenerator random;

    RandomJson(RandomGenerator random) {
        this.random = random;
    }

    JsonValue value(int depth) {
        return switch (random.nextInt(depth > 0 ? 8 : 5)) {
            case 0 -> JsonBoolean.of(random.nextBoolean());
            case 1 -> JsonNull.NULL;
            case 2 -> new JsonString(text());
            case 3, 4 -> number();
            case 5, 6 -> object(depth - 1);
            default -> array(depth - 1);
        };
    }

    private JsonValue object(int depth) {
        JsonObject.Builder object = JsonObject.builder();
        for (int i = random.nextInt(6); i > 0; i--) {
            object.put(text(), value(depth));
        }
        return object.build();
    }

    private JsonValue array(int depth) {
        List<JsonValue> items = new ArrayList<>();
        for (int i = random.nextInt(6); i > 0; i--) {
            items.add(value(depth));
        }
        return new JsonArray(items);
    }

    String text() {
        StringBuilder text = new StringBuilder();
        for (int i = random.nextInt(4); i > 0; i--) {
            text.append(TEXTS[random.nextInt(TEXTS.length)]);
        }
        for (int i = random.nextInt(4); i > 0; i--) {
            int point = random.nextInt(0x110000);
            text.appendCodePoint(point >= 0xD800 && point < 0xE000 ? 'x' : point);
        }
        return text.toString();
    }

    JsonNumber number() {
        return switch (random.nextInt(6)) {
            case 0 -> JsonNumber.of(random.nextInt(-300, 300));
            case 1 -> JsonNumber.of(random.nextLong());
            case 2 -> JsonNumber.of(finite(Double.longBitsToDouble(random.nextLong())));
            case 3 -> JsonNumber.of(new BigDecimal(BigInteger.valueOf(random.nextInt(1000)), random.nextInt(-40, 40)));
            case 4 -> JsonNumber.of(new BigDecimal(digits(1 + random.nextInt(60))).movePointLeft(random.nextInt(80)));
            default -> JsonNumber.of(new BigDecimal(random.nextLong()).scaleByPowerOfTen(random.nextInt(-400, 400)));
        };
    }

    private static double finite(double value) {
        return Double.isFinite(value) ? value : 0.1;
    }

    private String digits(int count) {
        StringBuilder digits = new StringBuilder(random.nextBoolean() ? "-" : "");
        for (int i = 0; i < count; i++) {
            digits.append((char) ('0' + random.nextInt(10)));
        }
        return digits.toString();
    }

    /** The value with members in random order, random white space, escapes and spellings of numbers. */
    String spelling(JsonValue value) {
        StringBuilder text = new StringBuilder();
        spell(value, text);
        return text.toString();
    }

    private void spell(JsonValue value, StringBuilder text) {
        space(text);
        switch (value) {
            case JsonNull ignored -> text.append("null");
            case JsonBoolean bool -> text.append(bool.value());
            case JsonString string -> quote(string.value(), text);
            case JsonNumber number -> text.append(spelling(number));
            case JsonArray array -> {
                text.append('[');
                for (int i = 0; i < array.items().size(); i++) {
                    text.append(i == 0 ? "" : ",");
                    spell(array.items().get(i), text);
                }
                space(text);
                text.append(']');
            }
            case JsonObject object -> spellMembers(object, text);
        }
        space(text);
    }

    private void spellMembers(JsonObject object, StringBuilder text) {
        List<Map.Entry<String, JsonValue>> members =
                new ArrayList<>(object.members().entrySet());
        Collections.shuffle(members, Random.from(random));
        text.append('{');
        for (int i = 0; i < members.size(); i++) {
            text.append(i == 0 ? "" : ",");
            space(text);
            quote(members.get(i).getKey(), text);
            space(text);
            text.append(':');
            spell(members.get(i).getValue(), text);
        }
        space(text);
        text.append('}');
    }

    private void quote(String value, StringBuilder text) {
        text.append('"');
        for (int i = 0; i < value.length(); i++) {
            char c = value.charAt(i);
            boolean half = Character.isSurrogate(c);
            if (c < ' ' || c == '"' || c == '\\' || (!half && random.nextInt(5) == 0)) {
                text.append(String.format(random.nextBoolean() ? "\\u%04x" : "\\u%04X", (int) c));
            } else {
                text.append(c);
            }
        }
        text.append('"');
    }

    /** Another spelling of the same number: the digits as an integer, padded with zeros, times a power of ten. */
    String spelling(JsonNumber number) {
        BigDecimal value = number.decimalValue();
        int zeros = random.nextInt(4);
        BigInteger unscaled = value.unscaledValue().multiply(BigInteger.TEN.pow(zeros));
        int exponent = -value.scale() - zeros;
        String fraction = random.nextBoolean() ? "" : "." + "0".repeat(1 + random.nextInt(3));
        String e = random.nextBoolean() ? "e" : "E";
        String sign = exponent >= 0 && random.nextBoolean() ? "+" : "";
        return switch (random.nextInt(3)) {
            case 0 -> value.toString();
            case 1 -> value.toPlainString();
            default -> unscaled + fraction + e + sign + exponent;
        };
    }

    private void space(StringBuilder text) {
        while (random.nextInt(4) == 0) {
            text.append(" \n\r\t".charAt(random.nextInt(4)));
        }
    }
}
