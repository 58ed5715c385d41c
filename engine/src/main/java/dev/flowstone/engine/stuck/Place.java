package dev.flowstone.engine.stuck;

import static java.util.Objects.requireNonNull;

import java.util.Arrays;
import java.util.Optional;
import java.util.Set;

/**
 * Where a round goes on.
 *
 * @param after the last row that was looked at, in the words of {@link Suspects}; empty at the beginning
 */
public record Place(Scan scan, String after) {
    public Place {
        requireNonNull(scan);
        requireNonNull(after);
    }

    /** Where a round begins that looks for these; empty if rows can't tell of any. */
    public static Optional<Place> first(Set<StuckKind> kinds) {
        return Arrays.stream(Scan.values())
                .filter(scan -> scan.finds(kinds))
                .findFirst()
                .map(scan -> new Place(scan, ""));
    }

    /** Where the round goes on after this scan; empty if it ends there. */
    public Optional<Place> afterScan(Set<StuckKind> kinds) {
        return scan.next(kinds).map(next -> new Place(next, ""));
    }

    /** Reads what {@link #toString} wrote. */
    public static Optional<Place> parse(String text) {
        int colon = text.indexOf(':');
        return Arrays.stream(Scan.values())
                .filter(scan -> colon > 0 && scan.name().equals(text.substring(0, colon)))
                .findFirst()
                .map(scan -> new Place(scan, text.substring(colon + 1)));
    }

    @Override
    public String toString() {
        return scan.name() + ":" + after;
    }
}
