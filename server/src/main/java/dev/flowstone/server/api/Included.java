package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.server.api.doc.ExecutionDocs;
import dev.flowstone.server.execution.Window;
import dev.flowstone.server.http.Page;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.server.http.Query;
import java.util.Arrays;
import java.util.EnumMap;
import java.util.EnumSet;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/**
 * Which lists of an execution are asked for with it, and which page of them (dataflow.md §13.2): by the cursor of each, by
 * {@code cursor} if there is only one, or by an offset.
 *
 * @param context whether its data are asked for, too, which are no list
 * @param offset how many of each are passed over; 0 where there are cursors
 * @param after numbers of events, behind which the pages begin
 */
record Included(Set<Part> parts, boolean context, int limit, int offset, Map<Part, Long> after) {
    /** A list of an execution. */
    enum Part {
        ACTIONS,
        CHILDREN,
        RESOURCES,
        EVENTS;

        /** As it is called in queries and answers. */
        String word() {
            return name().toLowerCase(Locale.ROOT);
        }

        private String cursor() {
            return word() + "After";
        }
    }

    private static final String INCLUDE = "include";
    private static final String OFFSET = "offset";
    private static final String CONTEXT = "context";

    Included {
        parts = Set.copyOf(parts);
        after = Map.copyOf(requireNonNull(after));
    }

    static Included of(Query query) throws ProblemException {
        Set<Part> parts = parts(query);
        Map<Part, Long> after = new EnumMap<>(Part.class);
        for (Part part : Part.values()) {
            Optional<Long> number = Page.number(query, part.cursor());
            if (number.isPresent()) {
                if (!parts.contains(part)) {
                    throw Query.refused("'" + part.cursor() + "' takes " + part.word() + " in 'include'");
                }
                after.put(part, number.get());
            }
        }
        Optional<Long> cursor = Page.number(query, Page.CURSOR);
        if (cursor.isPresent()) {
            Part only = only(parts);
            if (after.put(only, cursor.get()) != null) {
                throw Query.refused("'cursor' and '" + only.cursor() + "' mean the same here; send one of them");
            }
        }
        Optional<Integer> offset = query.number(OFFSET, 0, ExecutionDocs.FARTHEST);
        if (offset.isPresent() && parts.isEmpty()) {
            throw Query.refused("'offset' takes a list in 'include'");
        }
        if (offset.isPresent() && !after.isEmpty()) {
            throw Query.refused("'offset' and a cursor exclude each other; a cursor costs less, and misses nothing");
        }
        return new Included(parts, query.words(INCLUDE).contains(CONTEXT), Page.limit(query), offset.orElse(0), after);
    }

    boolean has(Part part) {
        return parts.contains(part);
    }

    /** Behind which event the page of this list begins. */
    long after(Part part) {
        return after.getOrDefault(part, 0L);
    }

    /** The page of this list, for who counts what it has. */
    Window window(Part part) {
        return new Window(after(part), offset, limit);
    }

    private static Part only(Set<Part> parts) throws ProblemException {
        if (parts.size() != 1) {
            throw Query.refused("'cursor' takes one list in 'include'; for several, send "
                    + String.join(
                            ", ", Arrays.stream(Part.values()).map(Part::cursor).toList()));
        }
        return parts.iterator().next();
    }

    private static Set<Part> parts(Query query) {
        Set<Part> parts = EnumSet.noneOf(Part.class);
        query.words(INCLUDE).stream()
                .filter(word -> !word.equals(CONTEXT))
                .forEach(word -> parts.add(Part.valueOf(word.toUpperCase(Locale.ROOT))));
        return parts;
    }
}
