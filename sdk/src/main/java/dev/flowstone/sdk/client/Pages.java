package dev.flowstone.sdk.client;

import java.util.Collections;
import java.util.Iterator;
import java.util.NoSuchElementException;
import java.util.Optional;

/** Walks through a list; for one thread. */
final class Pages<T> implements Iterator<T> {
    private final Listing<T> list;
    private Iterator<T> items = Collections.emptyIterator();
    private Optional<String> next = Optional.empty();
    private boolean begun;

    Pages(Listing<T> list) {
        this.list = list;
    }

    @Override
    public boolean hasNext() {
        while (!items.hasNext() && (!begun || next.isPresent())) {
            Optional<String> at = next;
            Page<T> page = list.page(Listing.PAGE, at);
            if (begun && page.next().equals(at)) {
                throw Caller.misread(
                        Call.get("the next page"),
                        200,
                        "a page leads to itself, so that the list has no end",
                        new IllegalStateException("a circle"));
            }
            begun = true;
            items = page.items().iterator();
            next = page.next();
        }
        return items.hasNext();
    }

    @Override
    public T next() {
        if (!hasNext()) {
            throw new NoSuchElementException();
        }
        return items.next();
    }
}
