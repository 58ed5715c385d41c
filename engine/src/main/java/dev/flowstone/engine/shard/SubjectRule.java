package dev.flowstone.engine.shard;

import dev.flowstone.engine.journal.StoredSubject;
import dev.flowstone.kernel.command.SubjectBinding;
import dev.flowstone.kernel.id.RunId;
import java.util.Optional;

/**
 * Which starts a subject refuses (R16). A run that must be alone isn't started beside one that lives, nor one that lives
 * beside it; and no run begins with a version that is known to be old. The commit's own check is what holds; this one
 * answers.
 */
final class SubjectRule {
    static final String BUSY = "SUBJECT_BUSY";
    private static final String STALE = "STALE_SUBJECT_VERSION";

    private SubjectRule() {}

    static Optional<Turn.Result> refusal(StartWork start, StoredSubject stored) {
        SubjectBinding binding = start.request.subject().orElseThrow();
        RunId own = start.run().run();
        if (stored.bound().stream().anyMatch(bound -> bound.run().equals(own))) {
            // Its commit was thought to have failed.
            return Optional.empty();
        }
        for (StoredSubject.Bound bound : stored.bound()) {
            if (binding.exclusive() || bound.exclusive()) {
                return Optional.of(new Turn.Result.Rejected(
                        BUSY, "the run " + bound.run() + " works on " + binding.subject() + " and hasn't ended"));
            }
        }
        if (stored.version() > binding.version()) {
            return Optional.of(new Turn.Result.Rejected(
                    STALE,
                    binding.subject() + " has version " + stored.version() + " by now, not " + binding.version()));
        }
        return Optional.empty();
    }
}
