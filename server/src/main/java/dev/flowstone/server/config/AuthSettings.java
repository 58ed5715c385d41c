package dev.flowstone.server.config;

import dev.flowstone.security.token.Algorithm;
import java.util.Optional;
import java.util.Set;
import java.util.stream.Collectors;

/** What settings hold that say who may call, and how often. */
final class AuthSettings {
    static final int MOST_A_MINUTE = 60_000_000;
    static final int MOST_AT_ONCE = 1_000_000;

    private AuthSettings() {}

    /** True or false, or nothing said. */
    static Optional<Boolean> choice(String text) {
        return switch (text) {
            case "" -> Optional.empty();
            case "true" -> Optional.of(true);
            case "false" -> Optional.of(false);
            default -> throw new IllegalArgumentException("neither true nor false");
        };
    }

    static Set<Algorithm> algorithms(String text) {
        Set<Algorithm> algorithms = NameLists.names(text)
                .map(name -> Algorithm.named(name).orElseThrow(IllegalArgumentException::new))
                .collect(Collectors.toUnmodifiableSet());
        if (algorithms.isEmpty()) {
            throw new IllegalArgumentException("no algorithm");
        }
        return algorithms;
    }
}
