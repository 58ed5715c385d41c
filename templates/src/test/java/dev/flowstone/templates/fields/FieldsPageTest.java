package dev.flowstone.templates.fields;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;

/** The users' page has every type of field and no other. */
final class FieldsPageTest {
    private static final Path PAGE = Path.of(System.getProperty("basedir", ".")).resolve("../docs/templates.md");
    private static final Pattern WORD = Pattern.compile("`([a-z]+)`");

    @Test
    void hasEveryType() throws IOException {
        Set<String> types = Files.readAllLines(PAGE).stream()
                .filter(line -> line.startsWith("| `type` |"))
                .flatMap(line ->
                        WORD.matcher(line.substring("| `type` |".length())).results())
                .map(word -> word.group(1))
                .collect(Collectors.toCollection(TreeSet::new));

        assertEquals(new TreeSet<>(FieldType.words()), types);
    }
}
