package dev.flowstone.architecture;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import com.tngtech.archunit.core.domain.JavaClass;
import com.tngtech.archunit.core.domain.JavaClasses;
import com.tngtech.archunit.core.importer.ClassFileImporter;
import com.tngtech.archunit.core.importer.ImportOption.DoNotIncludeTests;
import com.tngtech.archunit.junit.AnalyzeClasses;
import com.tngtech.archunit.junit.ArchTest;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** No class of the testkit is one of those that drive runs, copied: by whatever name, and with whatever changes of words. */
@AnalyzeClasses(
        packages = "dev.flowstone",
        importOptions = {DoNotIncludeTests.class, WrittenByHand.class})
final class CopiesTest {
    /** Of a smaller one everything is found anywhere. */
    private static final int SMALLEST = 20;

    @ArchTest
    static void nothingOfTheTestkitIsACopyOfWhatDrivesRuns(JavaClasses house) {
        assertEquals(
                List.of(),
                copies(drivers(house), house, "dev.flowstone.testkit"),
                "what is simulated has to be the production engine, or the simulation proves nothing");
    }

    /** Each of them, so that none is too small or too ordinary to be told from what is there by right. */
    @ArchTest
    static void aCopyOfEachByAnotherNameWouldBeSeen(JavaClasses house) throws IOException {
        Path folder = Files.createTempDirectory("copied");
        try {
            RenamedClasses copied = new RenamedClasses(folder);
            for (JavaClass type : house) {
                if (Drivers.ALL.contains(Drivers.outermost(type).getName())) {
                    copied.copy(type);
                }
            }
            List<String> seen = copies(drivers(house), copied.all(), RenamedClasses.PACKAGE);

            for (String driver : Drivers.ALL) {
                String name = driver.substring(driver.lastIndexOf('.') + 1);
                assertTrue(
                        seen.contains(RenamedClasses.PACKAGE + ".My" + name + " does what " + driver + " does"),
                        () -> name + " could be copied: " + seen);
            }
        } finally {
            try (Stream<Path> all = Files.walk(folder)) {
                for (Path file : all.sorted(Comparator.reverseOrder()).toList()) {
                    Files.delete(file);
                }
            }
        }
    }

    /** Copies in source, in which methods were taken apart and put together, renamed, left out and added to. */
    @ArchTest
    static void aCopyThatWasWrittenOverIsSeenToo(JavaClasses house) {
        String planted = "dev.flowstone.architecture.planted";

        assertEquals(
                List.of(
                        planted + ".Alarms does what dev.flowstone.engine.shard.ShardTimers does",
                        planted + ".Rota does what dev.flowstone.engine.node.Loops does"),
                copies(drivers(house), new ClassFileImporter().importPackages(planted), planted));
    }

    private static Map<String, Shape> drivers(JavaClasses house) {
        Map<String, Shape> drivers = shapes(house, "dev.flowstone.engine");
        drivers.keySet().retainAll(Drivers.ALL);
        assertEquals(Drivers.ALL.stream().sorted().toList(), List.copyOf(drivers.keySet()), "they are where they were");
        drivers.forEach(
                (name, shape) -> assertTrue(shape.size() >= SMALLEST, () -> name + " has no shape to speak of"));
        return drivers;
    }

    private static List<String> copies(Map<String, Shape> drivers, JavaClasses classes, String within) {
        List<String> copies = new ArrayList<>();
        shapes(classes, within)
                .forEach((name, shape) -> drivers.forEach((driver, original) -> {
                    if (original.isCopiedIn(shape)) {
                        copies.add(name + " does what " + driver + " does");
                    }
                }));
        return copies;
    }

    /** By outermost class, in order. */
    private static Map<String, Shape> shapes(JavaClasses classes, String within) {
        Map<String, Shape> shapes = new TreeMap<>();
        classes.stream()
                .filter(type -> type.getPackageName().startsWith(within))
                .collect(Collectors.groupingBy(type -> Drivers.outermost(type).getName()))
                .forEach((name, types) -> shapes.put(name, Shape.of(types)));
        return shapes;
    }
}
