package dev.flowstone.testkit.scenario.source;

import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.math.BigDecimal;
import java.math.BigInteger;
import org.snakeyaml.engine.v2.events.ScalarEvent;
import org.snakeyaml.engine.v2.nodes.Tag;
import org.snakeyaml.engine.v2.resolver.CoreScalarResolver;

/**
 * A YAML scalar as a JSON value, by the core schema of YAML 1.2: {@code no} and {@code 2026-01-01} are texts. Numbers keep
 * every digit.
 */
final class YamlScalar {
    private static final int MAX_DIGITS = 1_100;
    private static final CoreScalarResolver CORE = new CoreScalarResolver(false);

    private YamlScalar() {}

    static JsonValue value(ScalarEvent scalar) throws SourceException {
        String text = text(scalar);
        if (!scalar.isPlain()) {
            return string(scalar, text);
        }
        Tag tag = CORE.resolve(text, true);
        if (tag.equals(Tag.NULL)) {
            return JsonNull.NULL;
        }
        if (tag.equals(Tag.BOOL)) {
            return JsonBoolean.of(text.equalsIgnoreCase("true"));
        }
        return tag.equals(Tag.INT) || tag.equals(Tag.FLOAT) ? number(scalar, text) : string(scalar, text);
    }

    /** As it is written; of a key, too. */
    static String text(ScalarEvent scalar) throws SourceException {
        if (scalar.getTag().isPresent()) {
            throw YamlTree.refused(scalar, "tags such as " + scalar.getTag().get() + " are not taken");
        }
        return scalar.getValue();
    }

    private static JsonValue string(ScalarEvent scalar, String text) throws SourceException {
        try {
            return new JsonString(text);
        } catch (IllegalArgumentException e) {
            throw YamlTree.refused(scalar, String.valueOf(e.getMessage()));
        }
    }

    private static JsonValue number(ScalarEvent scalar, String text) throws SourceException {
        if (text.length() > MAX_DIGITS) {
            throw YamlTree.refused(scalar, "a number has at most " + MAX_DIGITS + " characters");
        }
        try {
            if (text.startsWith("0x")) {
                return JsonNumber.of(new BigDecimal(new BigInteger(text.substring(2), 16)));
            }
            if (text.startsWith("0o")) {
                return JsonNumber.of(new BigDecimal(new BigInteger(text.substring(2), 8)));
            }
            return JsonNumber.of(new BigDecimal(text));
        } catch (IllegalArgumentException | ArithmeticException e) {
            throw YamlTree.refused(scalar, text + " is no number that JSON has");
        }
    }
}
