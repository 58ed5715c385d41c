package dev.flowstone.server.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.server.cli.DocLinks.Link;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** Who reads finds the way: links lead to what there is, and the index to every page. */
final class DocLinksTest {
    private static final Path ROOT = Path.of("..").toAbsolutePath().normalize();
    private static final Path DOCS = ROOT.resolve("docs");
    private static final Path INDEX = DOCS.resolve("README.md");

    /** It stands at the top of the archive that is installed, beside {@code docs}. */
    private static final Path INSTALLED = ROOT.resolve("build/installed/README.md");

    @Test
    void everyLinkLeadsToAFileAndAHeadingThatThereAre() throws IOException {
        List<String> broken = new ArrayList<>();
        for (Path page : DocLinks.pages(ROOT)) {
            for (Link link : links(page)) {
                if (!Files.exists(link.file())) {
                    broken.add(link.place() + ": no file: " + link.text());
                } else if (!link.anchor().isEmpty()
                        && !DocLinks.anchors(link.file()).contains(link.anchor())) {
                    broken.add(link.place() + ": no heading: " + link.text());
                }
            }
        }
        assertEquals(List.of(), broken);
    }

    @Test
    void theIndexNamesEveryPageForUsers() throws IOException {
        Set<String> named = links(INDEX).stream()
                .map(link -> DOCS.relativize(link.file()).toString())
                .collect(Collectors.toSet());

        try (Stream<Path> pages = Files.list(DOCS)) {
            List<String> missing = pages.map(page -> String.valueOf(page.getFileName()))
                    .filter(name -> name.endsWith(".md") && !name.equals("README.md") && !named.contains(name))
                    .sorted()
                    .toList();
            assertEquals(List.of(), missing, "docs/README.md names every page");
        }
    }

    @Test
    void everyPageBelowDocsIsReachedFromTheIndex() throws IOException {
        Set<Path> reached = new HashSet<>(Set.of(INDEX));
        Deque<Path> open = new ArrayDeque<>(reached);
        while (!open.isEmpty()) {
            for (Link link : links(open.remove())) {
                boolean page = link.file().toString().endsWith(".md") && Files.exists(link.file());
                if (page && reached.add(link.file())) {
                    open.add(link.file());
                }
            }
        }
        Set<Path> lost = new TreeSet<>(DocLinks.pages(DOCS));
        lost.removeAll(reached);

        assertEquals(Set.of(), lost);
    }

    @Test
    void theReadmeLeadsToTheIndex() {
        assertTrue(links(ROOT.resolve("README.md")).stream()
                .anyMatch(link -> link.file().equals(INDEX)));
    }

    /** Arguments may be left out in a sentence, or stand for any; what a release had before its change log may tell. */
    @Test
    void everyCommandInASentenceIsOne() throws IOException {
        List<String> wrong = new ArrayList<>();
        for (Path page : DocLinks.pages(ROOT)) {
            if (!page.endsWith("CHANGELOG.md")) {
                DocLinks.commands(page)
                        .forEach((place, command) -> DocCommands.in(command).stream()
                                .filter(words -> words.stream().noneMatch(it -> it.matches("…|N|COMMAND")))
                                .map(words -> DocCommands.parsed(words).err())
                                .filter(said -> !said.isEmpty() && !said.startsWith("Missing required"))
                                .forEach(said -> wrong.add(place + ": " + said)));
            }
        }
        assertEquals(List.of(), wrong);
    }

    private static List<Link> links(Path page) {
        Path base = page.equals(INSTALLED) ? ROOT : page.resolveSibling(".").normalize();
        return DocLinks.of(page, base);
    }
}
