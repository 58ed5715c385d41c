package dev.flowstone.kernel.policy;

import static java.util.Objects.requireNonNull;

/**
 * Why a bundle may not be published.
 *
 * @param pointer JSON pointer to what is wrong, or to what lacks it; it is there
 * @param message what is wrong, in a sentence for the bundle's author
 * @param remedy what to do
 */
public record BundleFault(Code code, String pointer, String message, String remedy) {
    /** What kind of fault it is. */
    public enum Code {
        /** Nothing here evaluates bundles of its kind. */
        POLICY_KIND,
        /** It hasn't the form that its kind has. */
        POLICY_FORM,
        /** One of its conditions can't be read. */
        POLICY_CONDITION
    }

    public BundleFault {
        requireNonNull(code);
        requireNonNull(pointer);
        requireNonNull(message);
        requireNonNull(remedy);
    }
}
