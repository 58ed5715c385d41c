package dev.flowstone.server.rate;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.Sha256;
import java.nio.charset.StandardCharsets;

/** Whose budget: of a fixed size, whatever they are called. */
record BudgetKey(Sha256 digest) {
    BudgetKey {
        requireNonNull(digest);
    }

    /** Names that, one after the other, are nobody else's. */
    static BudgetKey of(String... names) {
        StringBuilder text = new StringBuilder();
        for (String name : names) {
            text.append(name.length()).append(':').append(name);
        }
        return new BudgetKey(Sha256.digest(text.toString().getBytes(StandardCharsets.UTF_8)));
    }
}
