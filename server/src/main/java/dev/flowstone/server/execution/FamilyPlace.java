package dev.flowstone.server.execution;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.RunId;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Where a page of a {@link Family} ends and the next one begins: in which run's log, and at which event.
 *
 * @param top the topmost run
 * @param way from there down to the log that is being read, the number of each call in the log of its caller
 * @param next number of the event to be read next
 */
public record FamilyPlace(RunId top, List<Long> way, long next) {
    private static final String SEPARATOR = " ";
    private static final String NUMBER = "[0-9]{1,18}";

    public FamilyPlace {
        requireNonNull(top);
        way = List.copyOf(way);
    }

    /** As {@link #toString} wrote it; throws {@link IllegalArgumentException} if it did not. */
    public static FamilyPlace parse(String text) {
        List<String> parts = Arrays.asList(text.split(SEPARATOR, -1));
        List<Long> numbers = new ArrayList<>();
        for (String part : parts.subList(1, parts.size())) {
            if (!part.matches(NUMBER)) {
                throw new IllegalArgumentException("no number of an event: " + part);
            }
            numbers.add(Long.parseLong(part));
        }
        if (numbers.isEmpty() || numbers.size() > Family.MOST_LEVELS) {
            throw new IllegalArgumentException("no place in a tree: " + text);
        }
        return new FamilyPlace(
                RunId.parse(parts.getFirst()), numbers.subList(0, numbers.size() - 1), numbers.getLast());
    }

    @Override
    public String toString() {
        StringBuilder text = new StringBuilder(top.toString());
        way.forEach(call -> text.append(SEPARATOR).append(call));
        return text.append(SEPARATOR).append(next).toString();
    }
}
