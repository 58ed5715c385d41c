package dev.flowstone.dialect.states.lint;

import static java.util.Objects.requireNonNull;

/** What is known of things that a source names and doesn't hold; only lints look at it. */
public record Beyond(Callees callees, Bundles bundles) {
    /** Nothing is known. */
    public static final Beyond NOTHING = new Beyond(Callees.NONE, Bundles.UNKNOWN);

    public Beyond {
        requireNonNull(callees);
        requireNonNull(bundles);
    }
}
