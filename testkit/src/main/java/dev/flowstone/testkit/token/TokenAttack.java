package dev.flowstone.testkit.token;

import static java.util.Objects.requireNonNull;

/**
 * A token that has to be refused.
 *
 * @param name for people
 * @param refusal the word that tells why
 */
public record TokenAttack(String name, String refusal, String token) {
    public TokenAttack {
        requireNonNull(name);
        requireNonNull(refusal);
        requireNonNull(token);
    }

    @Override
    public String toString() {
        return name;
    }
}
