package dev.flowstone.server.kill;

import dev.flowstone.kernel.id.Sha256;
import java.io.IOException;
import java.nio.file.FileAlreadyExistsException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Stream;

/**
 * The other side of every effect, outside of the database: it has an effect once for each idempotency key, whoever calls
 * however often. A file that exists or not outlives the process that made it.
 */
record Witness(Path directory) {
    static Witness in(Path directory) throws IOException {
        return new Witness(Files.createDirectories(directory));
    }

    void effect(Sha256 key) throws IOException {
        try {
            Files.createFile(directory.resolve(key.toString()));
        } catch (FileAlreadyExistsException e) {
            // The effect is there: a repetition changes nothing.
        }
    }

    /** The keys under which something happened. */
    Set<String> keys() throws IOException {
        try (Stream<Path> files = Files.list(directory)) {
            return files.map(file -> file.getFileName().toString())
                    .collect(java.util.stream.Collectors.toCollection(TreeSet::new));
        }
    }
}
