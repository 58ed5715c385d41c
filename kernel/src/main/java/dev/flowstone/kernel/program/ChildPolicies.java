package dev.flowstone.kernel.program;

import static java.util.Objects.requireNonNull;

/** What an operation on a run does to a child that a call of it started (R22). */
public record ChildPolicies(
        ChildPolicy onCancel, ChildPolicy onTerminate, ChildPolicy onSuspend, ChildPolicy onTimeout) {
    /** Everything reaches the child. */
    public static final ChildPolicies CASCADE =
            new ChildPolicies(ChildPolicy.CASCADE, ChildPolicy.CASCADE, ChildPolicy.CASCADE, ChildPolicy.CASCADE);

    public ChildPolicies {
        requireNonNull(onCancel);
        requireNonNull(onTerminate);
        requireNonNull(onSuspend);
        requireNonNull(onTimeout);
    }
}
