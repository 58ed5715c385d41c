package dev.flowstone.server.http;

import static java.util.Objects.requireNonNull;

import dev.flowstone.server.http.ParameterType.Choice;
import dev.flowstone.server.http.ParameterType.Flag;
import dev.flowstone.server.http.ParameterType.Prose;
import dev.flowstone.server.http.ParameterType.Text;
import dev.flowstone.server.http.ParameterType.Time;
import dev.flowstone.server.http.ParameterType.Whole;
import dev.flowstone.server.http.ParameterType.Words;
import java.util.Arrays;
import java.util.List;

/**
 * A parameter of a route's query or path. What it takes is checked before the route is asked, and said in the API's document.
 *
 * @param says what it is for, in a sentence
 */
public record Parameter(String name, ParameterType type, String says, boolean required, boolean deprecated) {
    /** Longer than any name, id or cursor that there is: the address itself has a bound. */
    private static final int LONGEST = 100_000;

    public Parameter {
        requireNonNull(name);
        requireNonNull(type);
        requireNonNull(says);
    }

    private static Parameter of(String name, ParameterType type, String says) {
        return new Parameter(name, type, says, false, false);
    }

    /** Of a route that says no more of it than its name. */
    static Parameter named(String name) {
        return text(name, LONGEST, "");
    }

    /** Any text; what it means only the route knows. */
    public static Parameter text(String name, int most, String says) {
        return of(name, new Text(most), says);
    }

    /** Any text of 1 to so many characters that isn't blank. */
    public static Parameter prose(String name, int most, String says) {
        return of(name, new Prose(most), says);
    }

    /** A whole number between bounds, both inclusive. */
    public static Parameter number(String name, int least, int most, String says) {
        return of(name, new Whole(least, most, List.of()), says);
    }

    /** The same, or one of these words. */
    public static Parameter numberOr(String name, int least, int most, List<String> words, String says) {
        return of(name, new Whole(least, most, words), says);
    }

    /** True or false. */
    public static Parameter flag(String name, String says) {
        return of(name, new Flag(), says);
    }

    /** A point in time, as RFC 3339 writes it. */
    public static Parameter time(String name, String says) {
        return of(name, new Time(), says);
    }

    /** One of these words. */
    public static Parameter choice(String name, List<String> words, String says) {
        return of(name, new Choice(words), says);
    }

    /** One of this enumeration, as it writes itself. */
    public static Parameter choice(String name, Enum<?>[] values, String says) {
        return choice(name, Arrays.stream(values).map(Object::toString).toList(), says);
    }

    /** Several of these words, with commas between them. */
    public static Parameter words(String name, List<String> words, String says) {
        return of(name, new Words(words), says);
    }

    /** Where the page before ended. */
    static Parameter cursor(String name, String says) {
        return of(name, new Text(LONGEST), says);
    }

    /** The same that must be given. */
    public Parameter needed() {
        return new Parameter(name, type, says, true, deprecated);
    }

    /** The same that is still taken, and that nobody should begin to send. */
    public Parameter old() {
        return new Parameter(name, type, says, required, true);
    }

    /** Refuses what it doesn't take. */
    void check(String value) throws ProblemException {
        var refusal = type.refuses(value);
        if (refusal.isPresent()) {
            throw Query.refused("the query parameter '" + name + "' " + refusal.get());
        }
    }
}
