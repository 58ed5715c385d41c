package dev.flowstone.server.cli;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/**
 * Where what a long command found is kept.
 *
 * @param page for the drawing alone
 * @param folder for the JSON object and the drawing, by name and time
 */
record ResultFiles(Optional<Path> page, Optional<Path> folder) {
    ResultFiles {
        requireNonNull(page);
        requireNonNull(folder);
    }

    void keep(String name, Instant begin, String json, String html) throws IOException {
        if (page.isPresent()) {
            Files.writeString(page.get(), html);
        }
        if (folder.isPresent()) {
            Files.createDirectories(folder.get());
            String stem = name + "-"
                    + begin.truncatedTo(ChronoUnit.SECONDS).toString().replace(":", "");
            Files.writeString(folder.get().resolve(stem + ".json"), json + "\n");
            Files.writeString(folder.get().resolve(stem + ".html"), html);
        }
    }
}
