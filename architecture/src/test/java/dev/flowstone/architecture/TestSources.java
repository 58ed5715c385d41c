package dev.flowstone.architecture;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The sources of all modules, to find a test in by its class and its method, which the class may inherit. */
final class TestSources {
    private static final Pattern NAME = Pattern.compile("`([\\w.$]+#\\w+)`");
    private static final Pattern FILE = Pattern.compile(".*/src/(?:test|main)/java/(.+)\\.java");
    private static final Pattern SUPER = Pattern.compile("\\bclass \\w+[^{]*? extends (\\w+)");

    /** Folders with no sources of ours. */
    private static final Set<String> BUILT = Set.of("target", ".git", "node_modules");

    private final Map<String, Path> files = new HashMap<>();

    private TestSources() {}

    static TestSources below(Path root) throws IOException {
        TestSources sources = new TestSources();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                return BUILT.contains(folder.getFileName().toString())
                        ? FileVisitResult.SKIP_SUBTREE
                        : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                Matcher parts = FILE.matcher(file.toString());
                if (parts.matches()) {
                    sources.files.put(parts.group(1).replace('/', '.'), file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return sources;
    }

    /** {@code package.Class#method}, each that stands in backquotes. */
    static List<String> namesIn(String page) {
        return NAME.matcher(page)
                .results()
                .map(name -> name.group(1))
                .distinct()
                .toList();
    }

    boolean have(String test) {
        String[] parts = test.split("#", 2);
        return have(parts[0], Pattern.compile("\\b" + parts[1] + "\\("));
    }

    private boolean have(String type, Pattern method) {
        Path file = files.get(type);
        if (file == null) {
            return false;
        }
        String source = read(file);
        if (method.matcher(source).find()) {
            return true;
        }
        Matcher parent = SUPER.matcher(source);
        return parent.find() && have(qualified(parent.group(1), source, type), method);
    }

    private static String qualified(String name, String source, String from) {
        Matcher imported = Pattern.compile("import ([\\w.]+\\." + name + ");").matcher(source);
        return imported.find() ? imported.group(1) : from.substring(0, from.lastIndexOf('.') + 1) + name;
    }

    private static String read(Path file) {
        try {
            return Files.readString(file);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
