package dev.flowstone.server.config;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.start.Quotas;
import dev.flowstone.kernel.id.TenantId;
import java.time.Duration;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.function.Function;

/**
 * One thing that can be set.
 *
 * @param name dotted; in the environment it is {@link #variable()}
 * @param takes what values look like, in a few words
 * @param otherwise the default, as one would write it
 * @param meaning one line
 * @param secret whether its value is never shown
 * @param parser makes a value of text; throws {@link IllegalArgumentException}
 */
public record Setting<T>(
        String name, String takes, String otherwise, String meaning, boolean secret, Function<String, T> parser) {
    private static final String FAMILY = ".NAME.";
    private static final String TIME = "a time such as 500ms, 30s, 5m, 2h, 7d";

    public Setting {
        requireNonNull(name);
        requireNonNull(takes);
        requireNonNull(otherwise);
        requireNonNull(meaning);
        requireNonNull(parser);
    }

    static Setting<String> text(String name, String otherwise, String meaning) {
        return new Setting<>(name, "text", otherwise, meaning, false, Function.identity());
    }

    static Setting<String> secret(String name, String meaning) {
        return new Setting<>(name, "text", "", meaning, true, Function.identity());
    }

    static Setting<Integer> number(String name, int otherwise, int least, String meaning) {
        return number(name, otherwise, least, Integer.MAX_VALUE, "a number from " + least, meaning);
    }

    static Setting<Long> count(String name, long otherwise, long least, String meaning) {
        return new Setting<>(name, "a number from " + least, Long.toString(otherwise), meaning, false, text -> {
            long value = Long.parseLong(text);
            if (value < least) {
                throw new IllegalArgumentException();
            }
            return value;
        });
    }

    /** A time that is longer than nothing. */
    static Setting<Duration> life(String name, Duration otherwise, String meaning) {
        return new Setting<>(name, TIME, write(otherwise), meaning, false, text -> {
            Duration value = duration(text);
            if (value.isNegative() || value.isZero()) {
                throw new IllegalArgumentException();
            }
            return value;
        });
    }

    static Setting<Integer> port(String name, int otherwise, String meaning) {
        return number(name, otherwise, 0, 65_535, "a number from 0 to 65535", meaning);
    }

    static Setting<Integer> number(String name, int otherwise, int least, int most, String meaning) {
        return number(name, otherwise, least, most, "a number from " + least + " to " + most, meaning);
    }

    private static Setting<Integer> number(
            String name, int otherwise, int least, int most, String takes, String meaning) {
        return new Setting<>(name, takes, Integer.toString(otherwise), meaning, false, text -> {
            int value = Integer.parseInt(text);
            if (value < least || value > most) {
                throw new IllegalArgumentException();
            }
            return value;
        });
    }

    static Setting<Double> factor(String name, double otherwise, String meaning) {
        return new Setting<>(name, "a number from 1", Double.toString(otherwise), meaning, false, text -> {
            double value = Double.parseDouble(text);
            if (!(value >= 1) || Double.isInfinite(value)) {
                throw new IllegalArgumentException();
            }
            return value;
        });
    }

    static Setting<Double> rate(String name, String meaning) {
        return new Setting<>(name, "0 or a number from 0.000001", "0", meaning, false, Setting::rate);
    }

    static double rate(String text) {
        double value = Double.parseDouble(text);
        if (!Quotas.isRate(value)) {
            throw new IllegalArgumentException();
        }
        return value;
    }

    static int weight(String text) {
        int value = Integer.parseInt(text);
        if (!Quotas.isWeight(value)) {
            throw new IllegalArgumentException();
        }
        return value;
    }

    /** Values of some tenants. */
    static <T> Setting<Map<TenantId, T>> byTenant(
            String name, String takes, String meaning, Function<String, T> value) {
        return byName(name, takes, meaning, TenantId::new, value);
    }

    /** Values of some things that have names. */
    static <K, T> Setting<Map<K, T>> byName(
            String name, String takes, String meaning, Function<String, K> key, Function<String, T> value) {
        return new Setting<>(name, takes, "", meaning, false, text -> {
            Map<K, T> values = new LinkedHashMap<>();
            for (String pair : text.isBlank() ? new String[0] : text.split(",", -1)) {
                int is = pair.lastIndexOf('=');
                T given = value.apply(pair.substring(is + 1).strip());
                if (is < 0 || values.put(key.apply(pair.substring(0, is).strip()), given) != null) {
                    throw new IllegalArgumentException();
                }
            }
            return values;
        });
    }

    /** A number of something that has at least one, where it is limited. */
    static int positive(String text) {
        int value = Integer.parseInt(text);
        if (value < 1) {
            throw new IllegalArgumentException();
        }
        return value;
    }

    /** A rate that is a limit. */
    static double limitingRate(String text) {
        double value = rate(text);
        if (value == 0) {
            throw new IllegalArgumentException();
        }
        return value;
    }

    static Setting<Double> share(String name, double otherwise, String meaning) {
        return new Setting<>(name, "a number from 0 to 1", Double.toString(otherwise), meaning, false, text -> {
            double value = Double.parseDouble(text);
            if (!(value >= 0 && value <= 1)) {
                throw new IllegalArgumentException();
            }
            return value;
        });
    }

    static Setting<Boolean> flag(String name, boolean otherwise, String meaning) {
        return new Setting<>(name, "true or false", Boolean.toString(otherwise), meaning, false, text -> {
            if (!text.equals("true") && !text.equals("false")) {
                throw new IllegalArgumentException();
            }
            return Boolean.valueOf(text);
        });
    }

    static Setting<Duration> time(String name, Duration otherwise, String meaning) {
        return new Setting<>(name, TIME, write(otherwise), meaning, false, Setting::duration);
    }

    /** One of some words. */
    static Setting<String> oneOf(String name, List<String> words, String otherwise, String meaning) {
        return new Setting<>(name, String.join(" or ", words), otherwise, meaning, false, text -> {
            if (!words.contains(text)) {
                throw new IllegalArgumentException();
            }
            return text;
        });
    }

    /**
     * One that has a single value here, and may be set to it.
     *
     * @param why it has no other
     */
    static Setting<String> only(String name, String value, String why) {
        String takes = value.isEmpty() ? "no value" : "only " + value;
        return new Setting<>(name, takes + " (" + why + ")", value, why, false, text -> {
            if (!text.equals(value)) {
                throw new IllegalArgumentException();
            }
            return text;
        });
    }

    /** One of a family, such as {@code webhook.NAME.url}, which is there for each name. */
    boolean isFamily() {
        return name.contains(FAMILY);
    }

    /** The one of a family for that name. */
    Setting<T> of(String member) {
        return new Setting<>(name.replace(FAMILY, "." + member + "."), takes, otherwise, meaning, secret, parser);
    }

    /** {@code http.port} is {@code FLOWSTONE_HTTP_PORT}; {@code http.maxBodyBytes} is {@code FLOWSTONE_HTTP_MAX_BODY_BYTES}. */
    public String variable() {
        return "FLOWSTONE_"
                + name.replaceAll("([a-z])([A-Z])", "$1_$2")
                        .replace('.', '_')
                        .replace('-', '_')
                        .toUpperCase(Locale.ROOT);
    }

    T parse(String text, String source) throws ConfigException {
        try {
            return parser.apply(text.strip());
        } catch (IllegalArgumentException | ArithmeticException e) {
            String shown = secret ? "what it was given" : "'" + text + "'";
            throw new ConfigException(name + " takes " + takes + ", not " + shown + " (" + source + ")");
        }
    }

    private static Duration duration(String text) {
        if (text.startsWith("P") || text.startsWith("p")) {
            try {
                return Duration.parse(text);
            } catch (DateTimeParseException e) {
                throw new IllegalArgumentException(e);
            }
        }
        int unit = 0;
        while (unit < text.length() && Character.isDigit(text.charAt(unit))) {
            unit++;
        }
        long amount = Long.parseLong(text.substring(0, unit));
        return switch (text.substring(unit).strip()) {
            case "ms" -> Duration.ofMillis(amount);
            case "s" -> Duration.ofSeconds(amount);
            case "m" -> Duration.ofMinutes(amount);
            case "h" -> Duration.ofHours(amount);
            case "d" -> Duration.ofDays(amount);
            default -> throw new IllegalArgumentException();
        };
    }

    private static String write(Duration duration) {
        long millis = duration.toMillis();
        if (millis % 86_400_000 == 0) {
            return millis / 86_400_000 + "d";
        }
        if (millis % 3_600_000 == 0) {
            return millis / 3_600_000 + "h";
        }
        if (millis % 60_000 == 0) {
            return millis / 60_000 + "m";
        }
        return millis % 1_000 == 0 ? millis / 1_000 + "s" : millis + "ms";
    }
}
