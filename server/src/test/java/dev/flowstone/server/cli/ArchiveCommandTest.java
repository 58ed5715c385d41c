package dev.flowstone.server.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.id.RunId;
import dev.flowstone.postgres.PostgresConfig;
import dev.flowstone.postgres.embedded.EmbeddedConfig;
import dev.flowstone.postgres.embedded.EmbeddedPostgres;
import dev.flowstone.server.cli.Cli.Said;
import dev.flowstone.server.e2e.OldMonth;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.DriverManager;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** Archives by the command line, as an operator makes and checks them. */
final class ArchiveCommandTest {
    private static final Pattern RUN = Pattern.compile("[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[0-9a-f]{4}-[0-9a-f]{12}");

    @TempDir
    private Path folder = Path.of("");

    @Test
    void anOperatorCountsArchivesListsVerifiesAndIsToldWhereARunWent() throws Exception {
        String data = folder.resolve("data").toString();
        Path to = folder.resolve("archives");
        Said ran = Cli.process("run", "../examples/dag/fan-out-fan-in.json", "--data", data);
        assertEquals(0, ran.exit(), ran::err);
        RunId old = copied(ran.out());

        Said counted = Cli.process("archive", "2026-03", "--dry-run", "--data", data);
        assertEquals(0, counted.exit(), counted::err);
        assertTrue(counted.out().startsWith("1 run with "), counted::out);
        Said refused = Cli.process("archive", "2026-02", "--to", to.toString(), "--data", data);
        assertEquals(1, refused.exit(), refused::out);
        assertTrue(refused.err().contains("no partition of its own for 2026-02"), refused::err);

        Said archived = Cli.process("archive", "2026-03", "--to", to.toString(), "--data", data);
        assertEquals(0, archived.exit(), archived::err);
        assertTrue(archived.out().startsWith("Archived 1 run with "), archived::out);
        Path file = to.resolve("flowstone-2026-03.ndjson.gz");
        String anchor = archived.out().lines().skip(1).findFirst().orElseThrow().substring("anchor ".length());

        Said listed = Cli.process("archive", "list", "--data", data);
        assertTrue(listed.out().contains("flowstone-2026-03.ndjson.gz  1 run, "), listed::out);
        assertTrue(listed.out().strip().endsWith(anchor), listed::out);
        assertEquals(0, Cli.process("verify", "--data", data).exit());
        Said shown = Cli.process("show", old.toString(), "--data", data);
        assertEquals(2, shown.exit());
        assertTrue(shown.err().contains("flowstone-2026-03.ndjson.gz"), shown::err);
        verifies(file, anchor);
    }

    private void verifies(Path file, String anchor) throws Exception {
        Said whole = Cli.here("archive", "verify", file.toString(), "--anchor", anchor);
        assertEquals(0, whole.exit(), whole::err);
        assertTrue(whole.out().startsWith("whole: 1 run, "), whole::out);
        Said another = Cli.here("archive", "verify", file.toString(), "--anchor", "0".repeat(64));
        assertEquals(1, another.exit(), another::out);

        byte[] bytes = Files.readAllBytes(file);
        bytes[bytes.length / 2] ^= 1;
        Files.write(file, bytes);
        Said broken = Cli.here("archive", "verify", file.toString());
        assertEquals(1, broken.exit(), broken::out);
        assertTrue(broken.out().startsWith("broken after "), broken::out);
        assertTrue(broken.out().contains("line "), broken::out);
        Said json = Cli.here("archive", "verify", file.toString(), "--json");
        assertTrue(json.out().contains("\"whole\":false"), json::out);
    }

    /** A run of the past month that the command is to find. */
    private RunId copied(String out) throws Exception {
        Matcher matcher = RUN.matcher(out);
        assertTrue(matcher.find(), out);
        try (EmbeddedPostgres server = EmbeddedPostgres.start(EmbeddedConfig.in(folder.resolve("data")))) {
            PostgresConfig config = server.config();
            try (Connection superuser = DriverManager.getConnection(
                    config.url(), config.admin().user(), config.admin().password())) {
                return OldMonth.in(superuser).copy(RunId.parse(matcher.group()));
            }
        }
    }

    @Test
    void whatCantBeMeantIsAUsageFault() {
        for (List<String> words : List.of(
                List.of("archive"),
                List.of("archive", "2026-03"),
                List.of("archive", "March", "--to", "x"),
                List.of("archive", "2026-03", "--to", "x", "--keep-days", "-1"),
                List.of("archive", "2026-03", "--dry-run", "--keep-days", "0"),
                List.of("archive", "verify"),
                List.of("archive", "verify", "no-such-file"),
                List.of("archive", "verify", "x", "--anchor", "y"))) {
            Said said = Cli.here(words.toArray(String[]::new));
            assertEquals(2, said.exit(), () -> words + ": " + said);
        }
    }
}
