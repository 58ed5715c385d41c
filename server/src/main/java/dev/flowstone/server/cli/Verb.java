package dev.flowstone.server.cli;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.json.JsonObject;
import java.util.ArrayList;
import java.util.List;

/**
 * One call of the REST interface as a command: a row of data from which its help, its request and its report follow.
 *
 * @param header what it does, in a line
 * @param method of HTTP
 * @param path below {@code /api/v1}; its variables are the arguments' names
 * @param arguments in their order
 * @param constant what the body always says
 * @param example the words after {@code flowstone}
 */
record Verb(
        String name,
        String header,
        String method,
        String path,
        List<Argument> arguments,
        List<Flag> flags,
        JsonObject constant,
        Report report,
        String example) {
    Verb {
        requireNonNull(name);
        requireNonNull(header);
        requireNonNull(method);
        requireNonNull(path);
        arguments = List.copyOf(arguments);
        flags = List.copyOf(flags);
        requireNonNull(constant);
        requireNonNull(report);
        requireNonNull(example);
    }

    /** A word that must be there; it stands in the path, or else in the body. */
    record Argument(String name, String label, String meaning) {
        static final Argument RUN = new Argument("id", "RUN", "The run's id.");
        static final Argument TASK = new Argument("activation", "TASK", "The task, node and visit: review#1.");
    }

    /** What a flag's value is. */
    enum Kind {
        TEXT,
        COUNT,
        /** So many seconds, or with a unit: {@code 90}, {@code 15m}, {@code 2h}, {@code 7d}. */
        SECONDS,
        JSON,
        /** A file with an object, whose members become the body's. */
        BODY,
        /** A file with an object. */
        OBJECT,
        /** {@code NAME=VALUE}, any number of times: a member of an object. A value is JSON if it is some, else text. */
        MEMBERS,
        /** Texts with commas between them, as a list. */
        TEXTS,
        /** No value: true if it is there. */
        ON,
        /** No value: false if it is there. */
        OFF,
        /** No value: false in the query if it is there, whatever the method. */
        OFF_IN_QUERY,
        /** A whole number that goes into the query, whatever the method. */
        COUNT_IN_QUERY,
        /** The revision that must be the present one: it goes into {@code If-Match}. */
        REVISION;

        /** Whether it stands alone. */
        boolean bare() {
            return this == ON || this == OFF || this == OFF_IN_QUERY;
        }

        /** Whether it may be there several times. */
        boolean repeats() {
            return this == MEMBERS;
        }
    }

    /**
     * A flag; its value goes into the body, or of a GET or a DELETE into the query.
     *
     * @param name with its hyphens
     * @param member that it becomes
     */
    record Flag(String name, String member, Kind kind, String label, boolean required, String meaning) {
        static Flag must(String name, String member, String label, String meaning) {
            return new Flag(name, member, Kind.TEXT, label, true, meaning);
        }

        static Flag may(String name, String member, Kind kind, String label, String meaning) {
            return new Flag(name, member, kind, label, false, meaning);
        }

        static Flag on(String name, String member, String meaning) {
            return new Flag(name, member, Kind.ON, "", false, meaning);
        }
    }

    boolean changesSomething() {
        return !method.equals("GET");
    }

    /** Whether it is a list that goes on behind a cursor. */
    boolean hasPages() {
        return report instanceof Report.Rows && flags.contains(SharedFlags.AFTER);
    }

    boolean hasBody() {
        return changesSomething() && !method.equals("DELETE");
    }

    static Verb get(String name, String header, String path, Report report, String example, Argument... arguments) {
        return new Verb(name, header, "GET", path, List.of(arguments), List.of(), JsonObject.EMPTY, report, example);
    }

    /** A list, page by page or whole. */
    static Verb list(String name, String header, String path, Report.Rows rows, String example, Argument... arguments) {
        return get(name, header, path, rows, example, arguments).flags(SharedFlags.LIMIT, SharedFlags.AFTER);
    }

    /** Takes something away. */
    static Verb delete(String name, String header, String path, String example, Argument... arguments) {
        return new Verb(
                name,
                header,
                "DELETE",
                path,
                List.of(arguments),
                List.of(),
                JsonObject.EMPTY,
                new Report.Change(),
                example);
    }

    static Verb post(String name, String header, String path, String example, Argument... arguments) {
        return new Verb(
                name,
                header,
                "POST",
                path,
                List.of(arguments),
                List.of(),
                JsonObject.EMPTY,
                new Report.Change(),
                example);
    }

    Verb flags(Flag... more) {
        List<Flag> all = new ArrayList<>(flags);
        all.addAll(List.of(more));
        return new Verb(name, header, method, path, arguments, all, constant, report, example);
    }

    /** The same under another group's name. */
    Verb in(String group) {
        String words = group + example.substring(example.indexOf(' '));
        return new Verb(name, header, method, path, arguments, flags, constant, report, words);
    }

    Verb saying(JsonObject always) {
        return new Verb(name, header, method, path, arguments, flags, always, report, example);
    }
}
