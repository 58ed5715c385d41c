package dev.flowstone.engine.shard;

import dev.flowstone.engine.journal.WindowRow;
import dev.flowstone.kernel.command.SubjectBinding;
import dev.flowstone.kernel.read.EditWindow;
import dev.flowstone.kernel.read.EditWindows;
import dev.flowstone.kernel.state.RunState;
import java.util.Optional;

/** What a move says about the edit window of its run's subject: nothing, unless something about it has changed. */
final class Windows {
    private Windows() {}

    static Optional<WindowRow> row(RunState before, RunState after) {
        if (after.subject().isEmpty()) {
            return Optional.empty();
        }
        SubjectBinding binding = after.subject().get();
        boolean first = before.lastSequence() == 0;
        boolean live = !after.status().isFinal();
        Optional<EditWindow> window = EditWindows.of(after);
        boolean same = !first
                && before.subjectVersion().equals(after.subjectVersion())
                && live != before.status().isFinal()
                && (window.isEmpty() || window.equals(EditWindows.of(before)));
        return same
                ? Optional.empty()
                : Optional.of(new WindowRow(
                        binding.subject(),
                        first,
                        window,
                        after.subjectVersion().orElse(binding.version()),
                        binding.exclusive(),
                        live));
    }
}
