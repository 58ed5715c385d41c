package dev.flowstone.kernel.event;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;

/** Instants as events store them: {@code 2026-11-27T23:05:00.123456Z}, always to the microsecond, years 0000 to 9999. */
public final class Times {
    /** The last instant that can be stored. */
    public static final Instant LAST = Instant.parse("9999-12-31T23:59:59.999999Z");

    private static final String FORM = "0000-00-00T00:00:00.000000Z";
    private static final Instant FIRST = Instant.parse("0000-01-01T00:00:00Z");

    private Times() {}

    /** The instant, cut to the microsecond and to the years that can be stored. */
    public static Instant storable(Instant time) {
        if (time.isBefore(FIRST)) {
            return FIRST;
        }
        if (time.isAfter(LAST)) {
            return LAST;
        }
        return time.truncatedTo(ChronoUnit.MICROS);
    }

    public static String write(Instant time) {
        LocalDateTime date = LocalDateTime.ofInstant(time, ZoneOffset.UTC);
        char[] text = new char[27];
        digits(text, 0, 4, date.getYear());
        text[4] = '-';
        digits(text, 5, 2, date.getMonthValue());
        text[7] = '-';
        digits(text, 8, 2, date.getDayOfMonth());
        text[10] = 'T';
        digits(text, 11, 2, date.getHour());
        text[13] = ':';
        digits(text, 14, 2, date.getMinute());
        text[16] = ':';
        digits(text, 17, 2, date.getSecond());
        text[19] = '.';
        digits(text, 20, 6, date.getNano() / 1_000);
        text[26] = 'Z';
        return new String(text);
    }

    /** Reads what {@link #write} wrote; what isn't an instant is an {@link IllegalArgumentException}. */
    public static Instant read(String text) {
        try {
            return isWritten(text) ? written(text) : Instant.parse(text);
        } catch (DateTimeException e) {
            throw new IllegalArgumentException("not an instant: " + text, e);
        }
    }

    /** Every event has a time: the JDK's parser, which knows other forms too, is several times as slow. */
    private static Instant written(String text) {
        return LocalDateTime.of(
                        number(text, 0, 4),
                        number(text, 5, 7),
                        number(text, 8, 10),
                        number(text, 11, 13),
                        number(text, 14, 16),
                        number(text, 17, 19),
                        number(text, 20, 26) * 1_000)
                .toInstant(ZoneOffset.UTC);
    }

    /** The end of a day and leap seconds aren't: the JDK's parser knows what to make of them. */
    private static boolean isWritten(String text) {
        if (text.length() != FORM.length()) {
            return false;
        }
        for (int i = 0; i < text.length(); i++) {
            char form = FORM.charAt(i);
            char given = text.charAt(i);
            if (form == '0' ? given < '0' || given > '9' : given != form) {
                return false;
            }
        }
        return number(text, 11, 13) < 24 && number(text, 17, 19) < 60;
    }

    private static int number(String text, int from, int to) {
        return Integer.parseInt(text, from, to, 10);
    }

    private static void digits(char[] into, int at, int count, int value) {
        int rest = value;
        for (int i = at + count - 1; i >= at; i--) {
            into[i] = (char) ('0' + rest % 10);
            rest /= 10;
        }
    }
}
