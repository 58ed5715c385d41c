package dev.flowstone.kernel.decision;

import java.util.Optional;

/** Why a person's command is refused. */
final class Refusal {
    private Refusal() {}

    static Optional<Decision.Rejected> of(RejectionCode code, String reason) {
        return Optional.of(new Decision.Rejected(code, reason));
    }

    /** What a person wrote is kept as it stands or not at all: it is never cut. */
    static Optional<Decision.Rejected> text(String what, String text) {
        if (text.isBlank()) {
            return of(RejectionCode.INVALID_COMMAND, "a " + what + " is missing");
        }
        if (text.length() > Answers.MESSAGE) {
            return of(
                    RejectionCode.LIMIT_EXCEEDED,
                    "a " + what + " has at most " + Answers.MESSAGE + " characters, not " + text.length());
        }
        return Answers.text(text, Answers.MESSAGE).equals(text)
                ? Optional.empty()
                : of(RejectionCode.INVALID_COMMAND, "a " + what + " holds text that is not Unicode");
    }
}
