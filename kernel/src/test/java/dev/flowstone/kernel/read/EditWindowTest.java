package dev.flowstone.kernel.read;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.read.EditWindow.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** Windows are a lattice: what is strictest depends on no order. */
final class EditWindowTest {
    private static final List<EditWindow> ALL = all();

    private static List<EditWindow> all() {
        List<EditWindow> all = new ArrayList<>();
        for (Mode mode : Mode.values()) {
            all.add(EditWindow.of(mode));
            for (List<String> fields : List.of(List.<String>of(), List.of("a"), List.of("b"), List.of("b", "a"))) {
                all.add(new EditWindow(mode, Optional.of(fields)));
            }
        }
        return all;
    }

    @Test
    void theStrictestIsTheSameInAnyOrder() {
        for (EditWindow one : ALL) {
            assertEquals(one, one.strictest(one));
            assertEquals(one, one.strictest(EditWindow.OPEN));
            assertEquals(EditWindow.LOCKED, one.strictest(EditWindow.LOCKED));
            for (EditWindow other : ALL) {
                assertEquals(one.strictest(other), other.strictest(one));
                for (EditWindow third : ALL) {
                    assertEquals(one.strictest(other).strictest(third), one.strictest(other.strictest(third)));
                }
            }
        }
    }

    @Test
    void theStrictestAllowsWhatBothAllow() {
        List<Set<String>> edits = List.of(Set.of(), Set.of("a"), Set.of("b"), Set.of("a", "b"), Set.of("c"));
        for (EditWindow one : ALL) {
            for (EditWindow other : ALL) {
                for (Set<String> edit : edits) {
                    assertEquals(
                            one.allows(edit) && other.allows(edit),
                            one.strictest(other).allows(edit),
                            () -> one + " and " + other + " for " + edit);
                }
            }
        }
    }

    @Test
    void anEditOfEverythingNeedsAllFields() {
        EditWindow some = new EditWindow(Mode.EDITABLE, Optional.of(List.of("a")));

        assertFalse(some.allows(Set.of()));
        assertTrue(some.allows(Set.of("a")));
        assertTrue(EditWindow.of(Mode.AMEND_ONLY).allows(Set.of()));
    }

    @Test
    void whatIsWrittenIsReadAndNothingElse() {
        for (EditWindow window : ALL) {
            assertEquals(Optional.of(window), EditWindow.read(window.toJson()));
        }
        assertEquals(Optional.empty(), EditWindow.read(new JsonString("LOCKED")));
        assertEquals(
                Optional.empty(),
                EditWindow.read(JsonObject.builder().put("mode", "locked").build()));
        assertEquals(
                Optional.empty(),
                EditWindow.read(JsonObject.builder()
                        .put("mode", "EDITABLE")
                        .put("fields", "a")
                        .build()));
    }
}
