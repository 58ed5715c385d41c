package dev.flowstone.server.cli;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/**
 * A fenced block of a page for users.
 *
 * @param line where it begins, counted from 1
 * @param language what stands behind the fence, empty if nothing does
 * @param note what an HTML comment {@code <!-- doc: … -->} just before it says of how it is tested, empty if there is none
 */
record DocBlock(Path page, int line, String language, String note, String text) {
    private static final Pattern FENCE = Pattern.compile("( *)```(\\S*)\\s*");
    private static final Pattern NOTE = Pattern.compile(" *<!-- doc: (.+) -->");

    DocBlock {
        requireNonNull(page, "page");
        requireNonNull(language, "language");
        requireNonNull(note, "note");
        requireNonNull(text, "text");
    }

    /** Its page and line, as a compiler would say it. */
    String place() {
        return page.getFileName() + ":" + line;
    }

    /** Every page for users. */
    static List<Path> pages(Path root) {
        try (Stream<Path> docs = Files.list(root.resolve("docs"))) {
            return Stream.concat(
                            Stream.of(
                                    root.resolve("README.md"),
                                    root.resolve("deploy").resolve("README.md")),
                            docs.filter(file -> file.toString().endsWith(".md")).sorted())
                    .toList();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    static List<DocBlock> of(Path page) {
        List<String> lines;
        try {
            lines = Files.readAllLines(page);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        List<DocBlock> blocks = new ArrayList<>();
        for (int i = 0; i < lines.size(); i++) {
            Matcher fence = FENCE.matcher(lines.get(i));
            if (fence.lookingAt()) {
                int end = end(page, lines, i);
                Matcher note = NOTE.matcher(i == 0 ? "" : lines.get(i - 1));
                int indent = fence.group(1).length();
                String text = lines.subList(i + 1, end).stream()
                        .map(line -> line.substring(Math.min(indent, line.length())) + "\n")
                        .collect(Collectors.joining());
                blocks.add(new DocBlock(page, i + 1, fence.group(2), note.matches() ? note.group(1) : "", text));
                i = end;
            }
        }
        return List.copyOf(blocks);
    }

    private static int end(Path page, List<String> lines, int from) {
        for (int i = from + 1; i < lines.size(); i++) {
            if (lines.get(i).strip().equals("```")) {
                return i;
            }
        }
        throw new AssertionError("a block without an end: " + page + ":" + (from + 1));
    }
}
