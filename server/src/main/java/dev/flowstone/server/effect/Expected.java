package dev.flowstone.server.effect;

import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** Statuses that count as success. */
record Expected(List<Range> ranges) {
    /** Whatever says that it worked. */
    static final Expected ANY_2XX = new Expected(List.of(new Range(200, 299)));

    private static final Pattern CLASS = Pattern.compile("([1-5])[xX]{2}");
    private static final Pattern RANGE = Pattern.compile("([1-5][0-9]{2})(?:-([1-5][0-9]{2}))?");

    Expected {
        ranges = List.copyOf(ranges);
    }

    /** Both ends included. */
    record Range(int from, int to) {
        /** {@code 404}, {@code 200-204} or {@code 2xx}; nothing if it is none of them. */
        static Optional<Range> parse(String text) {
            Matcher whole = CLASS.matcher(text);
            if (whole.matches()) {
                int hundred = 100 * Integer.parseInt(whole.group(1));
                return Optional.of(new Range(hundred, hundred + 99));
            }
            Matcher ends = RANGE.matcher(text);
            if (!ends.matches()) {
                return Optional.empty();
            }
            int from = Integer.parseInt(ends.group(1));
            int to = ends.group(2) == null ? from : Integer.parseInt(ends.group(2));
            return from <= to ? Optional.of(new Range(from, to)) : Optional.empty();
        }
    }

    boolean includes(int status) {
        return ranges.stream().anyMatch(range -> range.from() <= status && status <= range.to());
    }
}
