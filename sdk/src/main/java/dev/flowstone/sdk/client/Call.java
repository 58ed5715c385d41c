package dev.flowstone.sdk.client;

import static java.util.Objects.requireNonNull;

import java.net.URLEncoder;
import java.nio.charset.StandardCharsets;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.UUID;
import java.util.regex.Pattern;
import tools.jackson.databind.JsonNode;

/**
 * A call as an area asks for it.
 *
 * @param path with its query, encoded
 * @param ifNoneMatch the entity tag of what is known: another answer is wanted only if there is news
 * @param revision of what is to be changed: at another one it is refused
 */
record Call(
        String method,
        String path,
        Optional<JsonNode> body,
        Repeat repeat,
        Optional<String> key,
        Optional<String> ifNoneMatch,
        Optional<Long> revision) {
    /** What the server takes for one (RFC 9110 §5.5): {@code HttpClient} would send other characters as a question mark. */
    private static final Pattern KEY = Pattern.compile("[!-~]{1,128}");

    Call {
        requireNonNull(method);
        requireNonNull(path);
        requireNonNull(body);
        requireNonNull(repeat);
        requireNonNull(key);
        requireNonNull(ifNoneMatch);
        requireNonNull(revision);
    }

    /** What repeating a call does, if the server may have done it already. */
    enum Repeat {
        /** Nothing more: it reads, or says what shall be, or has a key. */
        HARMLESS,
        /** It finds nothing any more, which is what was wanted. */
        FINDS_NOTHING,
        /** It does more of it: it is repeated only where it can't have been done. */
        DOES_MORE
    }

    static Call get(String path) {
        return of("GET", path, Repeat.HARMLESS);
    }

    /** Something that is done again if it is sent again, until the call says otherwise. */
    static Call post(String path) {
        return of("POST", path, Repeat.DOES_MORE);
    }

    /** Something that says how it shall be: to do what is done already changes nothing. */
    static Call turn(String path) {
        return of("POST", path, Repeat.HARMLESS);
    }

    static Call put(String path, Repeat repeat) {
        return of("PUT", path, repeat);
    }

    static Call delete(String path) {
        return of("DELETE", path, Repeat.FINDS_NOTHING);
    }

    static Call of(String method, String path, Repeat repeat) {
        return new Call(method, path, Optional.empty(), repeat, Optional.empty(), Optional.empty(), Optional.empty());
    }

    Call with(JsonNode json) {
        return new Call(method, path, Optional.of(json), repeat, key, ifNoneMatch, revision);
    }

    /** The same elsewhere. */
    Call on(String other) {
        return new Call(method, other, body, repeat, key, ifNoneMatch, revision);
    }

    Call repeating(Repeat what) {
        return new Call(method, path, body, what, key, ifNoneMatch, revision);
    }

    /**
     * Under the caller's key, or one of its own: the server does it once.
     *
     * @throws IllegalArgumentException if no header can have it
     */
    Call keyed(Optional<String> chosen) {
        String used =
                chosen.map(Call::checkedKey).orElseGet(() -> UUID.randomUUID().toString());
        return new Call(method, path, body, Repeat.HARMLESS, Optional.of(used), ifNoneMatch, revision);
    }

    static boolean isKey(String key) {
        return KEY.matcher(key).matches();
    }

    static String checkedKey(String key) {
        if (!isKey(key)) {
            throw new IllegalArgumentException("an idempotency key has 1 to 128 characters of ASCII, and no blanks");
        }
        return key;
    }

    /** Only at this revision, if there is one: then a repetition after success is refused, and does no more. */
    Call at(Optional<Long> expected) {
        boolean safe = expected.isPresent() && repeat == Repeat.DOES_MORE;
        return new Call(method, path, body, safe ? Repeat.HARMLESS : repeat, key, ifNoneMatch, expected);
    }

    Call unless(Optional<String> tag) {
        return new Call(method, path, body, repeat, key, tag, revision);
    }

    /**
     * One segment of a path.
     *
     * @throws IllegalArgumentException if it would lead elsewhere
     */
    static String segment(String name) {
        if (name.isEmpty() || name.equals(".") || name.equals("..")) {
            throw new IllegalArgumentException("'" + name + "' is no name of anything");
        }
        return encoded(name);
    }

    private static String encoded(String text) {
        return URLEncoder.encode(text, StandardCharsets.UTF_8).replace("+", "%20");
    }

    /** The parameters of a list, those that there are. */
    static final class Query {
        private final Map<String, String> parameters = new LinkedHashMap<>();

        Query add(String name, Optional<?> value) {
            value.ifPresent(it -> parameters.put(name, it.toString()));
            return this;
        }

        /** The path with them. */
        String on(String path) {
            StringJoiner all = new StringJoiner("&", path + "?", "").setEmptyValue(path);
            parameters.forEach((name, value) -> all.add(encoded(name) + "=" + encoded(value)));
            return all.toString();
        }

        Query copy() {
            Query other = new Query();
            other.parameters.putAll(parameters);
            return other;
        }
    }
}
