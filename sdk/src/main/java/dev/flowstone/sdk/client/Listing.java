package dev.flowstone.sdk.client;

import java.util.Iterator;
import java.util.Optional;
import java.util.Spliterator;
import java.util.Spliterators;
import java.util.stream.Stream;
import java.util.stream.StreamSupport;

/**
 * A list of the server's, read page by page as far as somebody asks. Each iteration begins anew; it neither repeats nor leaves out
 * what there was all along.
 */
public interface Listing<T> extends Iterable<T> {
    /** How many items come with one call where nobody says otherwise. */
    int PAGE = 50;

    /**
     * One page.
     *
     * @param limit 1 to 200
     * @param cursor the {@code next} of the page before; empty for the first
     * @throws FlowstoneException if it can't be read
     */
    Page<T> page(int limit, Optional<String> cursor);

    /** The first page. */
    default Page<T> page(int limit) {
        return page(limit, Optional.empty());
    }

    /** All, each page when its first item is wanted; throws a {@link FlowstoneException} where one can't be read. */
    @Override
    default Iterator<T> iterator() {
        return new Pages<>(this);
    }

    /** The same as a stream, which needs no closing. */
    default Stream<T> stream() {
        return StreamSupport.stream(
                Spliterators.spliteratorUnknownSize(iterator(), Spliterator.ORDERED | Spliterator.NONNULL), false);
    }
}
