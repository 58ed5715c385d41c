package dev.flowstone.postgres.embedded;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/** Whole directories. */
final class Trees {
    private Trees() {}

    /** Symbolic links are removed, not followed. */
    static void delete(Path root) throws IOException {
        List<Path> deepestFirst;
        try (Stream<Path> files = Files.walk(root)) {
            deepestFirst = files.sorted(Comparator.reverseOrder()).toList();
        }
        for (Path file : deepestFirst) {
            Files.deleteIfExists(file);
        }
    }

    static void chown(Path root, String user) throws IOException {
        var owner = root.getFileSystem().getUserPrincipalLookupService().lookupPrincipalByName(user);
        List<Path> all;
        try (Stream<Path> files = Files.walk(root)) {
            all = files.toList();
        }
        for (Path file : all) {
            Files.setOwner(file, owner);
        }
    }
}
