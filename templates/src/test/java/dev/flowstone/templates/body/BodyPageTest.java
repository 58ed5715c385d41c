package dev.flowstone.templates.body;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The users' page has every tag and no other, and the limits that hold. */
final class BodyPageTest {
    private static final Path PAGE = Path.of(System.getProperty("basedir", ".")).resolve("../docs/templates.md");
    private static final Pattern TAG = Pattern.compile("\\{% (\\w+)");

    @Test
    void hasEveryTag() throws IOException {
        Set<String> tags = Files.readAllLines(PAGE).stream()
                .filter(line -> line.startsWith("| `{%"))
                .flatMap(line -> TAG.matcher(line).results())
                .map(tag -> tag.group(1))
                .collect(Collectors.toCollection(TreeSet::new));
        Set<String> known = new TreeSet<>(BodyReader.TAGS);
        known.addAll(List.of("endcomment", "endraw"));

        assertEquals(known, tags);
    }

    @Test
    void saysTheLimits() throws IOException {
        BodyLimits limits = BodyLimits.DEFAULT;
        List<String> rows = List.of(
                "| a body | " + number(limits.sourceChars()) + " characters, " + number(limits.parts())
                        + " parts, tags " + limits.depth() + " deep |",
                "| a document | " + number(limits.outputChars()) + " characters |",
                "| turns of all loops in a rendering | " + number(limits.turns()) + " |",
                "| all its expressions | " + number(limits.steps()) + " steps and " + (limits.bytes() >> 20)
                        + " MiB; ");

        for (String row : rows) {
            assertTrue(Files.readAllLines(PAGE).stream().anyMatch(line -> line.startsWith(row)), row);
        }
    }

    private static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
