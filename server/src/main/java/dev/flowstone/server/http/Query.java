package dev.flowstone.server.http;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** A request's query parameters: each known to the route, each at most once. */
public final class Query {
    private static final Instant EARLIEST = Instant.EPOCH;
    private static final Instant LATEST = Instant.parse("9999-12-31T00:00:00Z");

    private final Map<String, String> parameters;

    private Query(Map<String, String> parameters) {
        this.parameters = parameters;
    }

    static Query parse(String raw, Set<String> known) throws ProblemException {
        Map<String, String> parameters = new LinkedHashMap<>();
        for (String pair : raw.isEmpty() ? new String[0] : raw.split("&", -1)) {
            int equals = pair.indexOf('=');
            String name = decode(equals < 0 ? pair : pair.substring(0, equals));
            String value = equals < 0 ? "" : decode(pair.substring(equals + 1));
            if (!known.contains(name)) {
                String choice = known.isEmpty() ? "takes none" : "takes " + String.join(", ", new TreeSet<>(known));
                throw refused("unknown query parameter '" + Cut.text(name) + "'; this route " + choice);
            }
            String meant = meant(name, known);
            if (parameters.put(meant, value) != null) {
                throw refused("the query parameter '" + name + "' is given twice"
                        + (meant.equals(Page.AFTER) ? "; 'after' and 'cursor' are the same" : ""));
            }
        }
        return new Query(parameters);
    }

    /** Two words mean where the page before ended; routes know them by one. */
    private static String meant(String name, Set<String> known) {
        return name.equals(Page.CURSOR) && known.contains(Page.AFTER) ? Page.AFTER : name;
    }

    public Optional<String> text(String name) {
        return Optional.ofNullable(parameters.get(name));
    }

    public boolean flag(String name, boolean otherwise) throws ProblemException {
        String value = parameters.get(name);
        if (value == null) {
            return otherwise;
        }
        return switch (value) {
            case "true" -> true;
            case "false" -> false;
            default ->
                throw refused("the query parameter '" + name + "' takes true or false, not '" + Cut.text(value) + "'");
        };
    }

    /** A whole number between bounds, both inclusive. */
    public Optional<Integer> number(String name, int least, int most) throws ProblemException {
        String value = parameters.get(name);
        if (value == null) {
            return Optional.empty();
        }
        if (value.matches("[0-9]{1,9}") && Integer.parseInt(value) >= least && Integer.parseInt(value) <= most) {
            return Optional.of(Integer.parseInt(value));
        }
        throw refused("the query parameter '" + name + "' takes a whole number from " + least + " to " + most
                + ", not '" + Cut.text(value) + "'");
    }

    /** Prose of 1 to so many characters; empty if it isn't given. */
    public String prose(String name, int longest) throws ProblemException {
        String value = parameters.get(name);
        if (value != null && (value.isBlank() || value.length() > longest)) {
            throw refused("the query parameter '" + name + "' takes text of 1 to " + longest + " characters");
        }
        return value == null ? "" : value;
    }

    /** A point in time, as RFC 3339 writes it. */
    public Optional<Instant> time(String name) throws ProblemException {
        String value = parameters.get(name);
        if (value == null) {
            return Optional.empty();
        }
        try {
            return Optional.of(instant(value));
        } catch (IllegalArgumentException e) {
            throw refused("the query parameter '" + name + "': " + e.getMessage());
        }
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
