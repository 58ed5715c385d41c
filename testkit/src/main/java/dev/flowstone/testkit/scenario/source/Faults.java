package dev.flowstone.testkit.scenario.source;

import static java.util.Objects.requireNonNull;

import dev.flowstone.dialect.fault.Nearest;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonParser.Place;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;

/** What is wrong with one file, gathered while it is read. Keeps so many and says that there are more. */
public final class Faults {
    private static final int MOST = 200;

    private final Path file;
    private final JsonParser.Located document;
    private final Nearest nearest = new Nearest();
    private final List<FileFault> faults = new ArrayList<>();

    public Faults(Path file, JsonParser.Located document) {
        this.file = requireNonNull(file);
        this.document = requireNonNull(document);
    }

    /** At the value that the pointer names. */
    public void at(String pointer, String message) {
        add(document.place(pointer), pointer, message);
    }

    /** At the name of the member that the pointer names. */
    public void atName(String pointer, String message) {
        add(document.namePlace(pointer), pointer, message);
    }

    /** Of another file that this one leads to. */
    public void elsewhere(FileFault fault) {
        if (faults.size() < MOST) {
            faults.add(fault);
        }
    }

    public Place place(String pointer) {
        return document.place(pointer);
    }

    /** {@code '; did you mean 'x'?'}, or the names there are. */
    public String meant(String wrong, Collection<String> known) {
        return nearest.to(wrong, known)
                .map(name -> "; did you mean '" + name + "'?")
                .orElseGet(() -> known.isEmpty() ? "" : "; there is " + String.join(", ", known));
    }

    /** How many there are so far. */
    public int count() {
        return faults.size();
    }

    public boolean isEmpty() {
        return faults.isEmpty();
    }

    /** In the order of the text. */
    public List<FileFault> sorted() {
        return faults.stream().sorted(FileFault.BY_PLACE).toList();
    }

    private void add(Place place, String pointer, String message) {
        if (faults.size() < MOST) {
            faults.add(new FileFault(file, place.line(), place.column(), pointer, message));
        } else if (faults.size() == MOST) {
            faults.add(new FileFault(file, place.line(), place.column(), "", "more faults than are shown"));
        }
    }
}
