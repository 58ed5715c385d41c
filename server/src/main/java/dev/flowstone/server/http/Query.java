package dev.flowstone.server.http;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Function;

/** A request's query parameters: each known to the route, each at most once. */
public final class Query {
    private static final Instant EARLIEST = Instant.EPOCH;
    private static final Instant LATEST = Instant.parse("9999-12-31T00:00:00Z");

    private final Map<String, String> parameters;
    private final Map<String, Parameter> declared;

    private Query(Map<String, String> parameters, Map<String, Parameter> declared) {
        this.parameters = parameters;
        this.declared = declared;
    }

    static Query parse(String raw, List<Parameter> known) throws ProblemException {
        Map<String, Parameter> declared = new LinkedHashMap<>();
        known.forEach(parameter -> declared.put(parameter.name(), parameter));
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String pair : raw.isEmpty() ? new String[0] : raw.split("&", -1)) {
            int equals = pair.indexOf('=');
            String name = decode(equals < 0 ? pair : pair.substring(0, equals));
            String value = equals < 0 ? "" : decode(pair.substring(equals + 1));
            Parameter parameter = declared.get(name);
            if (parameter == null) {
                String choice =
                        known.isEmpty() ? "takes none" : "takes " + String.join(", ", new TreeSet<>(declared.keySet()));
                throw refused("unknown query parameter '" + Cut.text(name) + "'; this route " + choice);
            }
            String meant = meant(name, declared);
            if (parameters.put(meant, value) != null) {
                throw refused("the query parameter '" + name + "' is given twice"
                        + (meant.equals(Page.AFTER) ? "; 'after' and 'cursor' are the same" : ""));
            }
            parameter.check(value);
        }
        for (Parameter parameter : known) {
            if (parameter.required() && !parameters.containsKey(parameter.name())) {
                throw refused("the query parameter '" + parameter.name() + "' is missing");
            }
        }
        return new Query(parameters, declared);
    }

    /** Two words mean where the page before ended; routes know them by one. */
    private static String meant(String name, Map<String, Parameter> known) {
        return name.equals(Page.CURSOR) && known.containsKey(Page.AFTER) ? Page.AFTER : name;
    }

    /** As it was sent. */
    public Optional<String> text(String name) {
        declared(name);
        return Optional.ofNullable(parameters.get(name));
    }

    /** Those that were sent of a list of words. */
    public List<String> words(String name) {
        declared(name, ParameterType.Words.class);
        return text(name).map(ParameterType.Words::read).orElse(List.of());
    }

    public boolean flag(String name, boolean otherwise) throws ProblemException {
        check(name, new ParameterType.Flag());
        return text(name).map(Boolean::parseBoolean).orElse(otherwise);
    }

    /** A whole number between bounds, both inclusive. */
    public Optional<Integer> number(String name, int least, int most) throws ProblemException {
        check(name, new ParameterType.Whole(least, most, List.of()));
        return text(name).map(Integer::parseInt);
    }

    /** Prose of 1 to so many characters; empty if it isn't given. */
    public String prose(String name, int longest) throws ProblemException {
        check(name, new ParameterType.Prose(longest));
        return text(name).orElse("");
    }

    /** A point in time, as RFC 3339 writes it. */
    public Optional<Instant> time(String name) throws ProblemException {
        check(name, new ParameterType.Time());
        return text(name).map(Query::instant);
    }

    /** What a parameter means to somebody who throws {@link IllegalArgumentException} if it means nothing. */
    public <T> Optional<T> meaning(String name, Function<String, T> reader) throws ProblemException {
        try {
            return text(name).map(reader);
        } catch (IllegalArgumentException e) {
            throw refused("the query parameter '" + name + "': " + Cut.text(String.valueOf(e.getMessage())));
        }
    }

    /** A route reads what it declares, as what it declares it to be: otherwise the document would not be true. */
    private void check(String name, ParameterType read) throws ProblemException {
        Parameter parameter = declared(name);
        if (parameter.type() instanceof ParameterType.Text) {
            // Declared by its name only, so that nobody has looked at it.
            Optional<String> refusal = Optional.ofNullable(parameters.get(name)).flatMap(read::refuses);
            if (refusal.isPresent()) {
                throw refused("the query parameter '" + name + "' " + refusal.get());
            }
        } else if (!parameter.type().equals(read) && !isNumberAmongWords(parameter.type(), read)) {
            throw new IllegalStateException("'" + name + "' is declared as " + parameter.type() + ", read as " + read);
        }
    }

    private static boolean isNumberAmongWords(ParameterType declared, ParameterType read) {
        return declared instanceof ParameterType.Whole(int least, int most, List<String> _)
                && read.equals(new ParameterType.Whole(least, most, List.of()));
    }

    private void declared(String name, Class<? extends ParameterType> type) {
        if (!type.isInstance(declared(name).type())) {
            throw new IllegalStateException(
                    "'" + name + "' is declared as " + declared(name).type());
        }
    }

    private Parameter declared(String name) {
        Parameter parameter = declared.get(name);
        if (parameter == null) {
            throw new IllegalStateException("'" + name + "' is read and not declared");
        }
        return parameter;
    }

    /**
     * A point in time, from 1970 to 9998, as RFC 3339 writes it.
     *
     * @throws IllegalArgumentException if it is none
     */
    public static Instant instant(String text) {
        try {
            Instant time = OffsetDateTime.parse(text).toInstant();
            if (!time.isBefore(EARLIEST) && time.isBefore(LATEST)) {
                return time;
            }
        } catch (DateTimeParseException e) {
            // Refused below, like one that is out of bounds.
        }
        throw new IllegalArgumentException(
                "it takes a time such as 2026-11-27T23:05:00Z, not '" + Cut.text(text) + "'");
    }

    private static String decode(String raw) throws ProblemException {
        return Percent.decode(raw.replace('+', ' '), "the query");
    }

    public static ProblemException refused(String detail) {
        return Problem.of(ProblemCode.INVALID_REQUEST, detail).exception();
    }
}
