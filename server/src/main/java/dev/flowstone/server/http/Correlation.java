package dev.flowstone.server.http;

import java.util.Optional;
import java.util.UUID;
import java.util.regex.Pattern;

/** The two names that a client may give a call: one that groups calls, one that makes a repetition recognizable. */
final class Correlation {
    private static final Pattern ID = Pattern.compile("[!-~]{1,128}");

    private Correlation() {}

    static String fresh() {
        return UUID.randomUUID().toString();
    }

    /** The client's correlation id, or a new one. */
    static String of(Headers headers) throws ProblemException {
        return checked(headers, Border.CORRELATION).orElseGet(Correlation::fresh);
    }

    static Optional<String> idempotencyKey(Headers headers) throws ProblemException {
        return checked(headers, Border.IDEMPOTENCY_KEY);
    }

    private static Optional<String> checked(Headers headers, String name) throws ProblemException {
        Optional<String> value = headers.single(name);
        if (value.isPresent() && !ID.matcher(value.get()).matches()) {
            throw Query.refused("the header " + name + " takes 1 to 128 printable ASCII characters without a space");
        }
        return value;
    }
}
