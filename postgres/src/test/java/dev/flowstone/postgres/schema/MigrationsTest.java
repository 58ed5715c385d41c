package dev.flowstone.postgres.schema;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;

/** What a release believes to be its newest migration is the newest file that it carries. */
final class MigrationsTest {
    @Test
    void theNewestMigrationIsTheNewestFile() throws Exception {
        URI first = Migrations.class.getResource("V1__roles.sql").toURI();
        List<Integer> versions;
        try (Stream<Path> files = Files.list(Path.of(first).resolveSibling(""))) {
            versions = files.map(file -> file.getFileName().toString())
                    .filter(name -> name.startsWith("V") && name.endsWith(".sql"))
                    .map(name -> Integer.parseInt(name.substring(1, name.indexOf("__"))))
                    .sorted()
                    .toList();
        }

        assertEquals(
                IntStream.rangeClosed(1, versions.getLast())
                        .filter(version -> !Migrations.LEFT_OUT.contains(version))
                        .boxed()
                        .toList(),
                versions,
                "numbers without a gap");
        assertEquals(
                versions.getLast(),
                Migrations.NEWEST,
                "Migrations.NEWEST: a database of that version would be taken for one of this release");
    }
}
