package dev.flowstone.dialect.fault;

import dev.flowstone.kernel.json.JsonParser.Located;
import dev.flowstone.kernel.json.JsonParser.Place;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * Collects the faults of one definition. The same fault twice counts once. Beyond the bound faults are counted and no
 * longer kept, and one closing fault says how many: a hostile definition can't make the report larger than itself.
 * Not thread-safe.
 */
public final class Faults {
    private final Located document;
    private final int bound;
    private final FaultKind more;
    private final Set<Found> found = new LinkedHashSet<>();
    private int uncounted;
    private boolean error;

    /**
     * None yet.
     *
     * @param bound how many are kept
     * @param more the closing fault, if there are more
     */
    public Faults(Located document, int bound, FaultKind more) {
        this.document = document;
        this.bound = bound;
        this.more = more;
    }

    /** A fault of the value at this pointer. */
    public void add(FaultKind code, String pointer, String message, String remedy) {
        add(new Found(code, pointer, false, message, remedy));
    }

    /** A fault of the member's name at this pointer, whatever its value. */
    public void addAtName(FaultKind code, String pointer, String message, String remedy) {
        add(new Found(code, pointer, true, message, remedy));
    }

    public boolean hasErrors() {
        return error;
    }

    /** All of them, in the order of the text. */
    public List<Fault> sorted() {
        List<Fault> faults = new ArrayList<>();
        for (Found each : found) {
            faults.add(placed(each));
        }
        faults.sort(Fault.BY_PLACE);
        if (uncounted > 0) {
            Place end = faults.isEmpty() ? new Place(1, 1) : place(faults.getLast());
            faults.add(new Fault(
                    more,
                    Severity.ERROR,
                    "",
                    end.line(),
                    end.column(),
                    uncounted + " more faults aren't shown",
                    "repair these first, then validate again"));
        }
        return List.copyOf(faults);
    }

    private void add(Found fault) {
        error |= fault.code().severity() == Severity.ERROR;
        if (found.size() < bound) {
            found.add(fault);
        } else if (!found.contains(fault)) {
            uncounted++;
        }
    }

    private Fault placed(Found it) {
        Place place = it.atName() ? document.namePlace(it.pointer()) : document.place(it.pointer());
        return new Fault(
                it.code(), it.code().severity(), it.pointer(), place.line(), place.column(), it.message(), it.remedy());
    }

    private static Place place(Fault fault) {
        return new Place(fault.line(), fault.column());
    }

    private record Found(FaultKind code, String pointer, boolean atName, String message, String remedy) {}
}
