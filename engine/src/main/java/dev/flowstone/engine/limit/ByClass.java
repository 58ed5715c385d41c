package dev.flowstone.engine.limit;

import java.util.function.Consumer;
import java.util.function.Predicate;
import java.util.function.Supplier;

/** What waits, apart by how urgent it is; the classes take their {@link Turns}. Not thread-safe. */
public final class ByClass<Q> {
    private final Q sensitive;
    private final Q bulk;
    private final Predicate<Q> isEmpty;
    private final Turns turns = new Turns();

    public ByClass(Supplier<Q> empty, Predicate<Q> isEmpty) {
        this.sensitive = empty.get();
        this.bulk = empty.get();
        this.isEmpty = isEmpty;
    }

    public Q of(WorkClass workClass) {
        return workClass == WorkClass.BULK ? bulk : sensitive;
    }

    public boolean isEmpty() {
        return isEmpty.test(sensitive) && isEmpty.test(bulk);
    }

    /** Whose turn it is to have one taken out. */
    public Q next() {
        return of(turns.next(!isEmpty.test(sensitive), !isEmpty.test(bulk)));
    }

    public void forEach(Consumer<? super Q> action) {
        action.accept(sensitive);
        action.accept(bulk);
    }
}
