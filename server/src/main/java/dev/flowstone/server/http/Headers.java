package dev.flowstone.server.http;

import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;
import java.util.function.Supplier;

/** A request's headers, by name in any case. */
public final class Headers {
    private final Function<String, List<String>> values;
    private final Supplier<Collection<String>> names;

    /** @param names of all of them, as they were sent */
    Headers(Function<String, List<String>> values, Supplier<Collection<String>> names) {
        this.values = values;
        this.names = names;
    }

    /** Of all that were sent. */
    public Collection<String> names() {
        return names.get();
    }

    /** All values, in order. */
    public List<String> all(String name) {
        return values.apply(name);
    }

    /** The first value, whatever follows; for what may be ignored if it is no good. */
    public Optional<String> first(String name) {
        return values.apply(name).stream().map(String::strip).findFirst();
    }

    /** The value of a header that may occur once; twice is refused. */
    public Optional<String> single(String name) throws ProblemException {
        List<String> found = values.apply(name);
        if (found.size() > 1) {
            throw Problem.of(
                            ProblemCode.INVALID_REQUEST,
                            "the header " + name + " may be sent once, not " + found.size() + " times")
                    .exception();
        }
        return found.stream().map(String::strip).findFirst();
    }
}
