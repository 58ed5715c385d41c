package dev.flowstone.testkit.scenario.file;

import dev.flowstone.testkit.scenario.source.FileFault;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collection;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * The scenario files that paths mean: a file is itself, a folder is every {@code *.scenario.yaml}, {@code .yml} and
 * {@code .json} in it and below, by name. Each once.
 */
public record Discovery(List<Path> files, List<FileFault> faults) {
    private static final Pattern NAME = Pattern.compile(".+\\.scenario\\.(yaml|yml|json)");
    private static final int DEPTH = 64;

    public Discovery {
        files = List.copyOf(files);
        faults = List.copyOf(faults);
    }

    public static Discovery of(Collection<Path> paths) {
        Set<Path> files = new LinkedHashSet<>();
        List<FileFault> faults = new ArrayList<>();
        for (Path given : paths) {
            Path path = given.normalize();
            if (!Files.isDirectory(path)) {
                files.add(path);
                continue;
            }
            try (Stream<Path> below = Files.find(path, DEPTH, (it, attributes) -> attributes.isRegularFile())) {
                List<Path> found = below.filter(
                                it -> NAME.matcher(it.getFileName().toString()).matches())
                        .sorted()
                        .toList();
                files.addAll(found);
                if (found.isEmpty()) {
                    faults.add(FileFault.ofFile(path, "there is no *.scenario.yaml, .yml or .json in this folder"));
                }
            } catch (IOException | UncheckedIOException e) {
                faults.add(FileFault.ofFile(path, "can't be searched: " + e.getMessage()));
            }
        }
        return new Discovery(List.copyOf(files), faults);
    }
}
