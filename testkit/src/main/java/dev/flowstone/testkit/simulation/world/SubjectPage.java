package dev.flowstone.testkit.simulation.world;

import dev.flowstone.kernel.command.SubjectBinding;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.read.EditWindow;
import dev.flowstone.kernel.read.EditWindows;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/** What is true of one subject: its version, and the word of the runs that are bound to it. */
final class SubjectPage {
    private final Map<RunId, Word> words = new LinkedHashMap<>();
    private long version;

    SubjectPage(long version) {
        this.version = version;
    }

    /** What one run says about edits; tightened until it knows a version. */
    private static final class Word {
        final RunLog log;
        final SubjectBinding binding;
        EditWindow said = EditWindow.OPEN;
        EditWindow tightened = EditWindow.OPEN;
        long until;

        Word(RunLog log, SubjectBinding binding) {
            this.log = log;
            this.binding = binding;
        }

        boolean isLive() {
            return !log.state().status().isFinal();
        }

        /** The run has moved. */
        void hear() {
            EditWindows.of(log.state()).ifPresent(window -> said = window);
            if (log.state().subjectVersion().orElse(binding.version()) >= until) {
                tightened = EditWindow.OPEN;
            }
        }
    }

    long version() {
        return version;
    }

    /** What is wrong about its being bound now, if anything is. */
    Optional<String> bind(RunLog log, SubjectBinding binding) {
        Optional<String> wrong = words.values().stream()
                .filter(word -> word.isLive() && (word.binding.exclusive() || binding.exclusive()))
                .map(word -> log.name() + " begins on " + binding.subject() + " beside " + word.log.name())
                .findFirst();
        if (wrong.isEmpty() && binding.version() < version) {
            wrong = Optional.of(log.name() + " begins with version " + binding.version() + " of " + binding.subject()
                    + ", which has version " + version);
        }
        words.values().removeIf(word -> !word.isLive());
        words.put(log.run().run(), new Word(log, binding));
        version = Math.max(version, binding.version());
        return wrong;
    }

    void moved(RunId run) {
        Word word = words.get(run);
        if (word != null) {
            word.hear();
        }
    }

    /** The strictest of the runs that live; if none does, of those that ended since one was bound last. */
    EditWindow window() {
        boolean live = words.values().stream().anyMatch(Word::isLive);
        return words.values().stream()
                .filter(word -> word.isLive() || !live)
                .map(word -> word.said.strictest(word.tightened))
                .reduce(EditWindow.OPEN, EditWindow::strictest);
    }

    List<RunId> live() {
        return words.entrySet().stream()
                .filter(entry -> entry.getValue().isLive())
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    /** It has its next version. */
    void raise() {
        version++;
    }

    void raise(EditWindow tighten) {
        raise();
        words.values().stream().filter(Word::isLive).forEach(word -> {
            word.tightened = word.tightened.strictest(tighten);
            word.until = version;
        });
    }
}
