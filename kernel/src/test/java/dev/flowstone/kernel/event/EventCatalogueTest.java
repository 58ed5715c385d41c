package dev.flowstone.kernel.event;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Set;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** {@code docs/events.md} names every kind of event, and none that there isn't. */
final class EventCatalogueTest {
    private static final Pattern KIND = Pattern.compile("`([A-Z][A-Za-z]+)`");

    private static Stream<Class<?>> kinds(Class<?> type) {
        return type.isInterface()
                ? Arrays.stream(type.getPermittedSubclasses()).flatMap(EventCatalogueTest::kinds)
                : Stream.of(type);
    }

    private static Set<String> named(String text) {
        Set<String> names = new TreeSet<>();
        Matcher matcher = KIND.matcher(text);
        while (matcher.find()) {
            names.add(matcher.group(1));
        }
        return names;
    }

    private static String page() throws IOException {
        return Files.readString(Path.of("..", "docs", "events.md"));
    }

    private static Set<String> existing() {
        return kinds(EventBody.class).map(Class::getSimpleName).collect(Collectors.toCollection(TreeSet::new));
    }

    @Test
    void theTableOfAllKindsNamesEachOnce() throws IOException {
        String page = page();
        String table = page.substring(page.indexOf("## All kinds"), page.indexOf("## The enterprise team"));

        assertEquals(existing(), named(table));
    }

    @Test
    void theMappingsNameNothingThatIsNotThere() throws IOException {
        String page = page();
        Set<String> unknown = named(page.substring(page.indexOf("## The enterprise team")));
        unknown.removeAll(existing());

        assertEquals(Set.of(), unknown);
    }
}
