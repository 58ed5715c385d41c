package dev.flowstone.server.stream;

import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/**
 * What a client of an execution's stream has heard last. Its text is the {@code id} that it was told under.
 *
 * @param event the number of an event
 * @param damaged whether the client was told that this one can't be read, instead of the event
 */
public record StreamPlace(long event, boolean damaged) {
    private static final String DAMAGED = ".damaged";
    private static final Pattern TEXT = Pattern.compile("([0-9]{1,15})(\\.damaged)?");

    /** Empty if it is no such text. */
    public static Optional<StreamPlace> parse(String text) {
        Matcher matcher = TEXT.matcher(text);
        return matcher.matches()
                ? Optional.of(new StreamPlace(Long.parseLong(matcher.group(1)), matcher.group(2) != null))
                : Optional.empty();
    }

    /** The number of the event to go on with: one that can't be read may have been mended. */
    public long next() {
        return damaged ? event : event + 1;
    }

    @Override
    public String toString() {
        return damaged ? event + DAMAGED : Long.toString(event);
    }
}
