package dev.flowstone.engine.stuck;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.util.ArrayList;
import java.util.EnumSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A round goes through what can find the kinds that are asked for, and its places survive as text. */
final class PlaceTest {
    private static List<Scan> round(Set<StuckKind> kinds) {
        List<Scan> all = new ArrayList<>();
        Optional<Scan> scan = Place.first(kinds).map(Place::scan);
        while (scan.isPresent()) {
            all.add(scan.get());
            scan = scan.get().next(kinds);
        }
        return all;
    }

    @Test
    void aRoundOverEverythingGoesThroughAll() {
        assertEquals(List.of(Scan.values()), round(EnumSet.allOf(StuckKind.class)));
    }

    @Test
    void aRoundPassesByWhatCannotFindTheKind() {
        assertEquals(List.of(Scan.TIMERS), round(Set.of(StuckKind.TIMER_OVERDUE)));
        assertEquals(List.of(Scan.AWAKE, Scan.LETTERS), round(Set.of(StuckKind.NO_PROGRESS, StuckKind.LETTER_WAITING)));
        assertEquals(List.of(), round(Set.of(StuckKind.SET_ASIDE)), "no row tells of those");
    }

    @Test
    void placesAreReadAsTheyWereWritten() {
        for (String after : List.of("", "x", "2026-11-29T12:00:00Z 01935b5e a:b\nc")) {
            Place place = new Place(Scan.MESSAGES, after);
            assertEquals(Optional.of(place), Place.parse(place.toString()));
        }
        for (String nonsense : List.of("", ":", "NOTHING:x", "TIMERS")) {
            assertEquals(Optional.empty(), Place.parse(nonsense));
        }
    }

    @Test
    void kindsAreReadAsTheyAreSpelled() {
        for (StuckKind kind : StuckKind.values()) {
            assertEquals(Optional.of(kind), StuckKind.of(kind.toString()));
        }
        assertEquals(Optional.empty(), StuckKind.of("NO_PROGRESS"));
    }
}
