package dev.flowstone.testkit.scenario.file;

import static java.util.Objects.requireNonNull;

import dev.flowstone.testkit.scenario.source.FileFault;
import java.nio.file.Path;
import java.util.List;

/** What became of a file. */
public sealed interface ReadFile {
    Path path();

    /** Its scenarios can run. */
    record Sound(ScenarioFile file) implements ReadFile {
        public Sound {
            requireNonNull(file);
        }

        @Override
        public Path path() {
            return file.file();
        }
    }

    /**
     * Nothing of it runs.
     *
     * @param faults at least one, in the order of the text
     */
    record Faulty(Path path, List<FileFault> faults) implements ReadFile {
        public Faulty {
            requireNonNull(path);
            faults = List.copyOf(faults);
        }
    }
}
