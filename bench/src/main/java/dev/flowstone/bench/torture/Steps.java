package dev.flowstone.bench.torture;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import java.util.function.Supplier;

/** What a torture is doing: for whoever watches it, and for what is said when it can't go on. */
final class Steps implements Consumer<String> {
    private final Path folder;
    private final Consumer<String> progress;
    private volatile String last = "beginning";

    /**
     * None yet.
     *
     * @param folder of the torture
     */
    Steps(Path folder, Consumer<String> progress) {
        this.folder = requireNonNull(folder);
        this.progress = requireNonNull(progress);
    }

    @Override
    public void accept(String step) {
        last = step;
        progress.accept(step);
    }

    /**
     * Does this, and tells at which step, and where to look, if the company or what is done to it fails.
     *
     * @param absent names whoever doesn't run, if it does
     */
    <T> T through(Supplier<List<String>> absent, Callable<T> work) throws Exception {
        try {
            return work.call();
        } catch (IllegalStateException | IOException | UncheckedIOException | JournalException e) {
            throw new UnfinishedTortureException(last, absent.get(), folder, e);
        }
    }
}
