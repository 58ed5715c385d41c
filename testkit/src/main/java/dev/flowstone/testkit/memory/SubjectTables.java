package dev.flowstone.testkit.memory;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.StoredSubject;
import dev.flowstone.engine.journal.SubjectKey;
import dev.flowstone.engine.journal.WindowRow;
import dev.flowstone.kernel.read.EditWindow;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/** Subjects and their edit windows; whoever uses them holds the database's lock. */
final class SubjectTables {
    private final Map<SubjectKey, Row> rows = new HashMap<>();

    /** One subject. */
    static final class Row {
        long version;
        final Map<RunKey, Window> windows = new TreeMap<>();

        boolean isLive() {
            return windows.values().stream().anyMatch(Window::live);
        }

        /** The strictest of the runs that live; if none does, of those that have ended. */
        EditWindow window() {
            boolean live = isLive();
            return windows.values().stream()
                    .filter(window -> window.live() || !live)
                    .map(Window::effective)
                    .reduce(EditWindow.OPEN, EditWindow::strictest);
        }

        List<RunKey> live() {
            return windows.entrySet().stream()
                    .filter(entry -> entry.getValue().live())
                    .map(Map.Entry::getKey)
                    .toList();
        }
    }

    /** What one run says; tightened by an edit until the run has heard of that. */
    record Window(EditWindow window, Optional<Tightened> tightened, boolean exclusive, boolean live) {
        EditWindow effective() {
            return tightened.map(it -> window.strictest(it.to())).orElse(window);
        }
    }

    /** By the edit that made this version. */
    record Tightened(EditWindow to, long version) {}

    /** Of a subject that may be new; it stays unknown unless the row is {@link #keep kept}. */
    Row row(SubjectKey key, long version) {
        Row known = rows.get(key);
        if (known != null) {
            return known;
        }
        Row row = new Row();
        row.version = version;
        return row;
    }

    /** What was done with it is committed. */
    void keep(SubjectKey key, Row row) {
        rows.put(key, row);
    }

    Map<SubjectKey, StoredSubject> stored(Collection<SubjectKey> keys) {
        Map<SubjectKey, StoredSubject> found = new LinkedHashMap<>();
        for (SubjectKey key : keys) {
            Row row = rows.get(key);
            if (row != null) {
                List<StoredSubject.Bound> bound = new ArrayList<>();
                row.windows.forEach((run, window) -> {
                    if (window.live()) {
                        bound.add(new StoredSubject.Bound(run.run(), window.exclusive()));
                    }
                });
                found.put(key, new StoredSubject(row.version, bound));
            }
        }
        return found;
    }

    boolean refuses(RunKey run, WindowRow wanted) {
        Row row = rows.get(new SubjectKey(run.tenant(), wanted.subject()));
        if (!wanted.first() || row == null) {
            return false;
        }
        return row.version > wanted.version()
                || row.windows.values().stream()
                        .anyMatch(window -> window.live() && (wanted.exclusive() || window.exclusive()));
    }

    void put(RunKey run, WindowRow moved) {
        SubjectKey key = new SubjectKey(run.tenant(), moved.subject());
        Row row = row(key, moved.version());
        keep(key, row);
        if (moved.first()) {
            row.version = Math.max(row.version, moved.version());
            row.windows.values().removeIf(window -> !window.live());
        }
        Window before = row.windows.get(run);
        EditWindow window = moved.window().orElse(before == null ? EditWindow.OPEN : before.window());
        Optional<Tightened> tightened =
                before == null ? Optional.empty() : before.tightened().filter(it -> it.version() > moved.version());
        row.windows.put(run, new Window(window, tightened, moved.exclusive(), moved.live()));
    }
}
