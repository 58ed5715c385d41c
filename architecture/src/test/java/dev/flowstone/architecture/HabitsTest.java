package dev.flowstone.architecture;

import static com.tngtech.archunit.lang.syntax.ArchRuleDefinition.noClasses;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;

import com.tngtech.archunit.core.importer.ClassFileImporter;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.regex.Pattern;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What holds for the tests of every module, and for its build file. */
final class HabitsTest {
    private static final Path ROOT =
            Path.of(System.getProperty("flowstone.root", "..")).normalize();
    private static final Pattern UNWANTED = Pattern.compile("mockito|easymock|powermock|lombok|jqwik");

    @Test
    void testsWaitForSignalsAndNeverSleep() throws IOException {
        noClasses()
                .should()
                .callMethod(Thread.class, "sleep", long.class)
                .orShould()
                .callMethod(Thread.class, "sleep", Duration.class)
                .because("a sleep is too short on a busy machine and too long on every other: wait for what you mean")
                .check(new ClassFileImporter()
                        .withImportOption(new WrittenByHand())
                        .importPaths(find("test-classes")));
    }

    @Test
    void noModuleAsksForMocksOrMagic() throws IOException {
        List<Path> asking =
                find("pom.xml").stream().filter(HabitsTest::unwanted).toList();

        assertFalse(find("pom.xml").isEmpty(), "no pom.xml under " + ROOT);
        assertEquals(List.of(), asking, "fakes are written by hand, and code says what it does (design/style.md)");
    }

    private static boolean unwanted(Path pom) {
        try {
            return UNWANTED.matcher(Files.readString(pom)).find();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Files and folders of that name in the modules: {@code kernel/pom.xml}, {@code dialects/dag/target/test-classes}. */
    private static List<Path> find(String name) throws IOException {
        try (Stream<Path> files = Files.find(ROOT, 4, (path, attributes) -> path.endsWith(name))) {
            return files.sorted().toList();
        }
    }
}
