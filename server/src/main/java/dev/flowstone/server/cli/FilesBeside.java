package dev.flowstone.server.cli;

import dev.flowstone.dialect.states.lint.Callees;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.json.JsonValue;
import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.BiConsumer;
import org.jspecify.annotations.Nullable;

/**
 * What the definitions in the folders of some files call. Files that can't be read, or that are none, are passed over: they
 * are looked at for what they say of others, not judged. Of two with one id the later name counts.
 */
final class FilesBeside implements Callees {
    private static final int MOST_FILES = 500;
    private static final long MOST_BYTES = 4 << 20;

    private final List<Path> files;
    private @Nullable Map<String, Set<String>> known;

    FilesBeside(List<Path> files) {
        this.files = List.copyOf(files);
    }

    @Override
    public Set<String> of(String workflow) {
        Map<String, Set<String>> read = known;
        if (read == null) {
            // Only a definition that calls others asks.
            read = read();
            known = read;
        }
        return read.getOrDefault(workflow, Set.of());
    }

    private Map<String, Set<String>> read() {
        Map<String, Set<String>> calls = new HashMap<>();
        each(files, (file, definition) -> {
            if (definition.get("id") instanceof JsonString(String id)) {
                calls.put(id, called(definition));
            }
        });
        return calls;
    }

    /** Shows each JSON object in the folders of some files, and in the files themselves, the earlier names first. */
    static void each(List<Path> files, BiConsumer<Path, JsonObject> reader) {
        Set<Path> all = new LinkedHashSet<>();
        for (Path file : files) {
            Path folder = file.toAbsolutePath().getParent();
            if (folder != null) {
                all.addAll(definitions(folder));
            }
            all.add(file.toAbsolutePath());
        }
        all.stream().limit(MOST_FILES).forEach(file -> read(file, reader));
    }

    private static Set<Path> definitions(Path folder) {
        Set<Path> found = new TreeSet<>();
        try (DirectoryStream<Path> entries = Files.newDirectoryStream(folder, "*.json")) {
            entries.forEach(found::add);
        } catch (IOException | DirectoryIteratorException e) {
            // What can't be listed says nothing of what is called.
        }
        return found;
    }

    private static void read(Path file, BiConsumer<Path, JsonObject> reader) {
        try {
            if (Files.isRegularFile(file)
                    && Files.size(file) <= MOST_BYTES
                    && JsonParser.parse(Files.readAllBytes(file)) instanceof JsonObject object) {
                reader.accept(file, object);
            }
        } catch (IOException | JsonSyntaxException e) {
            // Whoever validates that file is told.
        }
    }

    private static Set<String> called(JsonObject definition) {
        Set<String> called = new TreeSet<>();
        if (definition.get("subworkflows") instanceof JsonObject subworkflows) {
            for (JsonValue each : subworkflows.members().values()) {
                if (each instanceof JsonObject call && call.get("workflow") instanceof JsonString(String workflow)) {
                    called.add(workflow);
                }
            }
        }
        return called;
    }
}
