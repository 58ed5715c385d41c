package dev.flowstone.server.cli;

import dev.flowstone.dialect.states.lint.Bundles;
import dev.flowstone.kernel.json.JsonObject;
import java.nio.file.Path;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * Which policies stand in the folders of some files: {@code release.json} with a bundle's {@code kind} and no {@code id} is
 * the policy {@code release}. Where there is none at all, policies are kept elsewhere, and nothing is said of them.
 */
final class BundlesBeside implements Bundles {
    private static final String ENDING = ".json";

    private final List<Path> files;
    private @Nullable Set<String> known;

    BundlesBeside(List<Path> files) {
        this.files = List.copyOf(files);
    }

    @Override
    public boolean lack(String bundle) {
        Set<String> read = known;
        if (read == null) {
            // Only a definition that names a bundle asks.
            read = read();
            known = read;
        }
        return !read.isEmpty() && !read.contains(bundle);
    }

    private Set<String> read() {
        Set<String> names = new HashSet<>();
        FilesBeside.each(files, (file, json) -> {
            if (isBundle(json)) {
                String name = String.valueOf(file.getFileName());
                names.add(name.substring(0, Math.max(0, name.length() - ENDING.length())));
            }
        });
        return names;
    }

    private static boolean isBundle(JsonObject json) {
        return json.get("kind") != null && json.get("id") == null;
    }
}
