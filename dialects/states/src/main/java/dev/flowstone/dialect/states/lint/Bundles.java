package dev.flowstone.dialect.states.lint;

/** What is known of published policies: which ones there aren't. */
@FunctionalInterface
public interface Bundles {
    /** Knows nothing, so that nothing is said. */
    Bundles UNKNOWN = bundle -> false;

    /** Whether it is known that no bundle of this name is published. */
    boolean lack(String bundle);
}
