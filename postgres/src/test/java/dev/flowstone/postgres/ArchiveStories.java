package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.Ports;
import dev.flowstone.engine.archive.ArchiveReport;
import dev.flowstone.engine.archive.ArchiveResult;
import dev.flowstone.engine.archive.ArchiveStage;
import dev.flowstone.engine.archive.ArchiveVerifier;
import dev.flowstone.engine.archive.Archiver;
import dev.flowstone.engine.archive.Disk;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.RunMove;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.read.RunRow;
import dev.flowstone.engine.verify.ChainReport;
import dev.flowstone.engine.verify.ChainVerifier;
import dev.flowstone.engine.verify.EntrySource;
import dev.flowstone.kernel.id.TenantId;
import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.Stream;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.io.TempDir;

/** A database that was installed months ago, and what tests of archives do with it. */
abstract class ArchiveStories extends PostgresTest {
    @TempDir
    Path folder;

    Lease lease;

    @SuppressWarnings("NullAway.Init")
    ArchiveStories() {}

    @BeforeEach
    void oldMonths() throws Exception {
        admin(OldRuns.partitions());
        lease = lease(0);
        byte[] program = "\"p\"".getBytes(StandardCharsets.UTF_8);
        for (TenantId tenant : List.of(Moves.ACME, Moves.OTHER)) {
            opened().ports().workflows().keepProgram(tenant, OldRuns.PROGRAM, program);
        }
    }

    RunKey commit(RunMove move) throws Exception {
        assertEquals(1, journal().commit(Moves.commit(lease, move)).moved().size());
        return move.key();
    }

    RunKey over(TenantId tenant) throws Exception {
        return commit(OldRuns.over(OldRuns.key(lease, tenant)));
    }

    RunKey living() throws Exception {
        return commit(OldRuns.living(OldRuns.key(lease, Moves.ACME)));
    }

    RunRow row(RunKey run) throws Exception {
        return opened().ports().runs().run(run.tenant(), run.run()).orElseThrow();
    }

    boolean isThere(RunKey run) throws Exception {
        return opened().ports().runs().run(run.tenant(), run.run()).isPresent();
    }

    Archiver archiver() {
        return archiver(Disk.own(), opened().entrySource());
    }

    Archiver archiver(Disk disk, EntrySource entries) {
        Ports ports = opened().ports();
        return new Archiver(opened().archives(), entries, ports.journal(), ports.workflows(), ports.clock(), disk);
    }

    ArchiveResult archive(ArchiveStage.Listener progress) throws Exception {
        return archiver().archive(OldRuns.MONTH, OldRuns.CUTOFF, folder, progress);
    }

    ArchiveResult.Archived archived() throws Exception {
        return assertInstanceOf(ArchiveResult.Archived.class, archive(ArchiveStage.Listener.NONE));
    }

    /** Does something once, when the archive comes to a stage. */
    static ArchiveStage.Listener at(ArchiveStage wanted, Deed deed) {
        boolean[] done = {false};
        return (stage, runs, of) -> {
            if (stage == wanted && !done[0]) {
                done[0] = true;
                try {
                    deed.run();
                } catch (RuntimeException e) {
                    throw e;
                } catch (Exception e) {
                    throw new IllegalStateException(e);
                }
            }
        };
    }

    @FunctionalInterface
    interface Deed {
        void run() throws Exception;
    }

    /** Archives while somebody reads the journal: the swap waits, and others go on. */
    ArchiveResult archivedBeside(Deed deed) throws Exception {
        try (Connection reader = TestServer.admin(config());
                Connection watcher = TestServer.admin(config());
                var thread = Executors.newSingleThreadExecutor()) {
            reader.setAutoCommit(false);
            assertTrue(number(reader, "SELECT count(*) FROM flowstone.entries") > 0);
            Future<ArchiveResult> archived = thread.submit(() -> archive(ArchiveStage.Listener.NONE));
            while (number(watcher, """
                            SELECT count(*) FROM pg_locks
                            WHERE relation = 'flowstone.entries'::regclass AND mode = 'AccessExclusiveLock' AND NOT granted
                            """) == 0) {
                assertFalse(archived.isDone());
                Thread.onSpinWait();
            }
            try {
                deed.run();
            } finally {
                reader.rollback();
            }
            return archived.get();
        }
    }

    void assertAllChainsStand(long runs) throws Exception {
        ChainReport report = new ChainVerifier(opened().entrySource()).all();
        assertTrue(report.whole(), report::toString);
        assertEquals(runs, report.runs());
    }

    /** But for what only keeps others out. */
    List<String> files() throws IOException {
        try (Stream<Path> files = Files.list(folder)) {
            return files.map(file -> file.getFileName().toString())
                    .filter(name -> !name.endsWith(".lock"))
                    .sorted()
                    .toList();
        }
    }

    static ArchiveReport verify(byte[] compressed) throws Exception {
        return ArchiveVerifier.verify(new ByteArrayInputStream(compressed), ArchiveVerifier.Listener.NONE);
    }

    static List<String> lines(Path file) throws IOException {
        return lines(Files.readAllBytes(file));
    }

    static List<String> lines(byte[] compressed) throws IOException {
        try (GZIPInputStream in = new GZIPInputStream(new ByteArrayInputStream(compressed))) {
            return new ArrayList<>(new String(in.readAllBytes(), StandardCharsets.UTF_8)
                    .lines()
                    .toList());
        }
    }

    static byte[] compressed(List<String> lines) {
        ByteArrayOutputStream out = new ByteArrayOutputStream();
        try (GZIPOutputStream gzip = new GZIPOutputStream(out)) {
            for (String line : lines) {
                gzip.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return out.toByteArray();
    }
}
