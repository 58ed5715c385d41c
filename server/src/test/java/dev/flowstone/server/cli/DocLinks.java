package dev.flowstone.server.cli;

import static java.util.Objects.requireNonNull;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.regex.MatchResult;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** The links of a Markdown file to other files of the repository, and the headings that others may link to. */
final class DocLinks {
    private static final Pattern LINK = Pattern.compile("\\]\\(([^)\\s]+)\\)");
    private static final Pattern ELSEWHERE = Pattern.compile("[a-z]+:.*");
    private static final Pattern HEADING = Pattern.compile("#{1,6} +(.+)");
    private static final Pattern CODE = Pattern.compile("`[^`]*`");

    /** Of what is built, kept or brought along; nobody reads Markdown there. */
    private static final Set<String> PASSED_OVER = Set.of("target", ".git", ".flowstone", "node_modules", "results");

    /**
     * A link as it is written.
     *
     * @param place file and line
     * @param file what it leads to
     * @param anchor a heading in it, empty if none is named
     */
    record Link(String place, String text, Path file, String anchor) {
        Link {
            requireNonNull(place, "place");
            requireNonNull(text, "text");
            requireNonNull(file, "file");
            requireNonNull(anchor, "anchor");
        }
    }

    private static final Pattern COMMAND = Pattern.compile("`((?:\\./|bin/)?flowstone [^`]+)`");

    private DocLinks() {}

    /** The command lines that stand in its sentences, with their places. */
    static Map<String, String> commands(Path page) {
        Map<String, String> commands = new LinkedHashMap<>();
        List<String> lines = prose(page);
        for (int i = 0; i < lines.size(); i++) {
            Matcher command = COMMAND.matcher(lines.get(i));
            while (command.find()) {
                commands.put(
                        page + ":" + (i + 1) + ": " + command.group(1),
                        command.group(1).replace("\\|", "|"));
            }
        }
        return commands;
    }

    /** Every Markdown file that somebody may read. */
    static List<Path> pages(Path root) throws IOException {
        List<Path> pages = new ArrayList<>();
        Files.walkFileTree(root, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult preVisitDirectory(Path folder, BasicFileAttributes attributes) {
                boolean passed = PASSED_OVER.contains(String.valueOf(folder.getFileName()));
                return passed ? FileVisitResult.SKIP_SUBTREE : FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) {
                if (file.toString().endsWith(".md")) {
                    pages.add(file);
                }
                return FileVisitResult.CONTINUE;
            }
        });
        return pages.stream().sorted().toList();
    }

    /** @param base the folder that its links are relative to */
    static List<Link> of(Path page, Path base) {
        List<Link> links = new ArrayList<>();
        List<String> lines = prose(page);
        for (int i = 0; i < lines.size(); i++) {
            Matcher link = LINK.matcher(CODE.matcher(lines.get(i)).replaceAll(""));
            while (link.find()) {
                String text = link.group(1);
                if (!ELSEWHERE.matcher(text).matches()) {
                    int hash = text.indexOf('#');
                    String file = hash < 0 ? text : text.substring(0, hash);
                    links.add(new Link(
                            page + ":" + (i + 1),
                            text,
                            file.isEmpty() ? page : base.resolve(file).normalize(),
                            hash < 0 ? "" : text.substring(hash + 1)));
                }
            }
        }
        return links;
    }

    /** The anchors of a page's headings, as those who show Markdown make them. */
    static Set<String> anchors(Path page) {
        Set<String> anchors = new LinkedHashSet<>();
        Map<String, Integer> seen = new HashMap<>();
        for (String line : prose(page)) {
            Matcher heading = HEADING.matcher(line);
            if (heading.matches()) {
                String anchor = anchor(heading.group(1));
                int before = seen.merge(anchor, 1, Integer::sum) - 1;
                anchors.add(before == 0 ? anchor : anchor + "-" + before);
            }
        }
        return anchors;
    }

    private static String anchor(String heading) {
        StringBuilder anchor = new StringBuilder();
        Pattern.compile("\\[([^\\]]*)\\]\\([^)]*\\)")
                .matcher(heading.strip())
                .replaceAll((MatchResult link) -> Matcher.quoteReplacement(link.group(1)))
                .toLowerCase(Locale.ROOT)
                .chars()
                .filter(it -> Character.isLetterOrDigit(it) || " -_".indexOf(it) >= 0)
                .forEach(it -> anchor.append(it == ' ' ? '-' : (char) it));
        return anchor.toString();
    }

    /** Its lines, those of blocks of code empty. */
    private static List<String> prose(Path page) {
        List<String> lines = new ArrayList<>();
        boolean code = false;
        try {
            for (String line : Files.readAllLines(page)) {
                boolean fence = line.strip().startsWith("```");
                code ^= fence;
                lines.add(fence || code ? "" : line);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return lines;
    }
}
