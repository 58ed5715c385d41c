package dev.flowstone.sdk.client;

import static java.util.Objects.requireNonNull;

import java.util.Optional;

/**
 * What somebody decides.
 *
 * @param outcome one of the task's {@link HumanTask#outcomes}
 * @param rationale why
 * @param onBehalfOf the user that the caller decides for
 * @param subjectVersion of the thing that it was decided on; refused if there is a newer one
 */
public record Decision(
        String outcome, Optional<String> rationale, Optional<String> onBehalfOf, Optional<Long> subjectVersion) {
    public Decision {
        requireNonNull(outcome);
        requireNonNull(rationale);
        requireNonNull(onBehalfOf);
        requireNonNull(subjectVersion);
    }

    public static Decision of(String outcome) {
        return new Decision(outcome, Optional.empty(), Optional.empty(), Optional.empty());
    }

    public Decision because(String why) {
        return new Decision(outcome, Optional.of(why), onBehalfOf, subjectVersion);
    }

    public Decision onBehalfOf(String user) {
        return new Decision(outcome, rationale, Optional.of(user), subjectVersion);
    }

    public Decision onVersion(long version) {
        return new Decision(outcome, rationale, onBehalfOf, Optional.of(version));
    }
}
