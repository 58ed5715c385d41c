package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.archive.ArchiveRecord;
import dev.flowstone.engine.archive.ArchiveRefusedException;
import dev.flowstone.engine.archive.ArchiveReport;
import dev.flowstone.engine.archive.ArchiveResult;
import dev.flowstone.engine.archive.ArchiveStage;
import dev.flowstone.engine.archive.ArchiveTotals;
import dev.flowstone.engine.archive.Archives.Staged;
import dev.flowstone.engine.journal.OutboxMessage;
import dev.flowstone.engine.journal.Receipt;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.TimerRow;
import dev.flowstone.kernel.event.HumanEvent;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TimerId;
import dev.flowstone.kernel.json.JsonObject;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Instant;
import java.time.YearMonth;
import java.time.ZoneOffset;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import org.junit.jupiter.api.Test;

/** Who leaves with a cold month, who stays, and what is left of it. */
final class ArchiveTest extends ArchiveStories {
    private static Receipt receipt(RunKey run, Instant until) {
        Receipt receipt = Moves.receipt(run, "key-" + run.run());
        return new Receipt(receipt.key(), receipt.request(), receipt.run(), receipt.answer(), until);
    }

    @Test
    void archivesTheRunsThatAreOverAndKeepsThoseThatLive() throws Exception {
        List<RunKey> over = List.of(over(Moves.ACME), over(Moves.ACME), over(Moves.OTHER));
        RunKey living = living();
        RunKey young = Moves.run(lease, Moves.ACME, Instant.now());
        commit(OldRuns.over(young));

        ArchiveResult.Archived result = archived();

        assertEquals(new Staged(4, 3, 3, 18), result.found());
        assertEquals(List.of("flowstone-" + OldRuns.MONTH + ".ndjson.gz"), files());
        ArchiveRecord record = result.record();
        assertEquals(List.of(record), opened().archives().list());
        assertEquals(1, record.number());
        assertEquals(9, record.entries());
        for (RunKey run : over) {
            assertFalse(isThere(run));
        }
        assertTrue(isThere(living));
        assertTrue(isThere(young));
        assertAllChainsStand(2);
        assertEquals(
                6,
                number("SELECT count(*) FROM flowstone.entries WHERE run_id IN ('" + living.run() + "', '" + young.run()
                        + "')"));
        assertEquals(6, number("SELECT count(*) FROM flowstone.entries"));
        assertEquals(0, number("SELECT count(*) FROM flowstone.archiving"));

        ArchiveReport report = verify(Files.readAllBytes(result.file()));
        assertTrue(report.whole(), report::toString);
        assertEquals(Optional.of(OldRuns.MONTH), report.month());
        assertEquals(
                Optional.of(new ArchiveTotals(3, 9, 18, 2, 0, record.anchor(), record.content())), report.totals());
    }

    @Test
    void theNewPartitionIsShutLikeTheOldOne() throws Exception {
        over(Moves.ACME);
        living();
        archived();

        String partition = "flowstone." + OldRuns.partition(OldRuns.MONTH);
        for (String role : List.of("flowstone_owner", "flowstone_admin")) {
            try (Connection connection = TestServer.admin(config())) {
                run(connection, "SET ROLE " + role);
                SQLException refusal =
                        assertThrows(SQLException.class, () -> run(connection, "DELETE FROM " + partition));
                assertEquals("23001", refusal.getSQLState());
            }
        }
        try (Connection engine = TestServer.engine(config())) {
            SQLException refusal = assertThrows(SQLException.class, () -> run(engine, "SELECT * FROM " + partition));
            assertEquals("42501", refusal.getSQLState());
        }
        assertEquals(
                1,
                number("SELECT count(*) FROM pg_class WHERE oid = '" + partition
                        + "'::regclass AND relrowsecurity AND relforcerowsecurity"));
        assertEquals(
                0,
                number("SELECT count(*) FROM pg_class WHERE relnamespace = 'flowstone'::regnamespace"
                        + " AND relname LIKE '%\\_copy%'"),
                "neither a table nor an index keeps the name of the copy");
        assertEquals(
                0,
                number("SELECT count(*) FROM pg_constraint WHERE conname = 'of_this_month'"),
                "what only served attaching");
    }

    @Test
    void keepsWhatSomethingWaitsForAndWhatEndedTooLately() throws Exception {
        over(Moves.ACME);
        RunKey timer = OldRuns.key(lease, Moves.ACME);
        commit(OldRuns.keeping(
                OldRuns.over(timer),
                List.of(new TimerRow(timer, new TimerId("t"), 1, Instant.now())),
                List.of(),
                List.of()));
        RunKey remembered = OldRuns.key(lease, Moves.ACME);
        commit(OldRuns.keeping(
                OldRuns.over(remembered),
                List.of(),
                List.of(receipt(remembered, Instant.now().plusSeconds(600))),
                List.of()));
        RunKey sending = OldRuns.key(lease, Moves.ACME);
        commit(OldRuns.keeping(
                OldRuns.over(sending),
                List.of(),
                List.of(),
                List.of(new OutboxMessage(1, 0, "mail", JsonObject.EMPTY))));
        RunKey called = over(Moves.ACME);
        admin("INSERT INTO flowstone.inbox (tenant, source, key, run_id, slot, kind, content, received_at)"
                + " VALUES ('acme', 's', 'k', '" + called.run() + "', 0, 'k', '', now())");
        RunKey receiving = over(Moves.ACME);
        admin("INSERT INTO flowstone.letters (slot, tenant, sender, number, receiver, content)"
                + " VALUES (0, 'acme', '" + timer.run() + "', 7, '" + receiving.run() + "', '{}')");
        RunKey bound = over(Moves.ACME);
        admin("INSERT INTO flowstone.subject_windows (tenant, kind, id, run_id, slot, exclusive, live, mode, version)"
                + " VALUES ('acme', 'doc', '1', '" + bound.run() + "', 0, true, true, 'LOCKED', 1)");
        RunKey told = over(Moves.ACME);
        admin("INSERT INTO flowstone.letters (slot, tenant, sender, number, receiver, content)"
                + " VALUES (0, 'acme', '" + told.run() + "', 7, gen_random_uuid(), '{}')");
        RunKey telling = over(Moves.ACME);
        admin(
                "INSERT INTO flowstone.inbox (tenant, source, key, run_id, slot, kind, content, received_at)"
                        + " VALUES ('acme', 'run', '" + telling.run() + "/0000000000000000007/' || gen_random_uuid(),"
                        + " gen_random_uuid(), 0, 'letter', '', now())",
                "INSERT INTO flowstone.inbox (tenant, source, key, run_id, slot, kind, content, received_at)"
                        + " VALUES ('acme', 'run', 'no letter', gen_random_uuid(), 0, 'letter', '', now())");
        RunKey asking = over(Moves.ACME);
        admin(
                "INSERT INTO flowstone.human_tasks (tenant, run_id, activation, slot, workflow, opened_at, assignees, content)"
                        + " VALUES ('acme', '" + asking.run() + "', 'a', 0, 'w', now(), '{}', '{}')");
        RunKey late = over(Moves.ACME);
        admin("UPDATE flowstone.runs SET ended_at = now() WHERE run_id = '" + late.run() + "'");

        ArchiveResult.Archived result = archived();

        assertEquals(new Staged(11, 11, 1, 6), result.found());
        for (RunKey stays :
                List.of(timer, remembered, sending, called, receiving, bound, told, telling, asking, late)) {
            assertTrue(isThere(stays));
        }
        assertAllChainsStand(10);
    }

    @Test
    void keepsARunWhoseAttestationIsOpen() throws Exception {
        over(Moves.ACME);
        RunKey asked = OldRuns.key(lease, Moves.ACME);
        commit(OldRuns.over(asked, new HumanEvent.AttestationRequested(Optional.empty(), "a", "undo by hand")));

        ArchiveResult.Archived result = archived();

        assertEquals(1, result.attesting());
        assertEquals(1, result.record().runs());
        assertTrue(isThere(asked));

        ArchiveResult.Nothing nothing =
                assertInstanceOf(ArchiveResult.Nothing.class, archive(ArchiveStage.Listener.NONE));
        assertEquals(1, nothing.attesting());
        assertEquals(1, files().size(), "no file for nothing");
    }

    @Test
    void takesAlongWhatItsRunsReferToAndLeavesItInTheDatabaseToo() throws Exception {
        byte[] payload = "{\"large\":1.50}".replace("1.50", "1.5").getBytes(StandardCharsets.UTF_8);
        commit(OldRuns.withPayload(OldRuns.key(lease, Moves.ACME), payload));

        ArchiveResult.Archived result = archived();

        List<String> lines = lines(result.file());
        assertTrue(
                lines.contains("{\"payload\":{\"hash\":\"" + Sha256.digest(payload)
                        + "\",\"tenant\":\"acme\",\"value\":{\"large\":1.5}}}"),
                () -> lines.toString());
        assertTrue(
                lines.contains(
                        "{\"program\":{\"hash\":\"" + OldRuns.PROGRAM + "\",\"tenant\":\"acme\",\"value\":\"p\"}}"),
                () -> lines.toString());
        assertEquals(1, number("SELECT count(*) FROM flowstone.payloads"));
    }

    @Test
    void whatIsOnlyTheRunsOwnGoesWithIt() throws Exception {
        RunKey run = OldRuns.key(lease, Moves.ACME);
        commit(OldRuns.keeping(
                OldRuns.over(run), List.of(), List.of(receipt(run, Instant.now().minusSeconds(1))), List.of()));
        admin(
                "INSERT INTO flowstone.inbox (tenant, source, key, run_id, slot, kind, content, received_at, consumed)"
                        + " VALUES ('acme', 's', 'k', '" + run.run() + "', 0, 'k', '', now(), true)",
                "INSERT INTO flowstone.snapshots VALUES ('acme', '" + run.run() + "', 6, '')",
                "INSERT INTO flowstone.subject_windows (tenant, kind, id, run_id, slot, exclusive, live, mode, version)"
                        + " VALUES ('acme', 'doc', '1', '" + run.run() + "', 0, true, false, 'LOCKED', 1)");

        archived();

        for (String table : List.of("receipts", "inbox", "snapshots", "runs", "entries")) {
            assertEquals(0, number("SELECT count(*) FROM flowstone." + table), table);
        }
        assertEquals(
                1,
                number("SELECT count(*) FROM flowstone.subject_windows"),
                "the last word on its subject outlives the run (R16)");
    }

    @Test
    void aMonthCanBeArchivedAgainWhenMoreOfItsRunsHaveEnded() throws Exception {
        over(Moves.ACME);
        RunKey living = living();
        archived();
        admin("UPDATE flowstone.runs SET status = 'SUCCEEDED', ended_at = started_at WHERE run_id = '" + living.run()
                + "'");

        ArchiveResult.Archived second = archived();

        assertEquals(2, second.record().number());
        assertEquals(
                List.of("flowstone-" + OldRuns.MONTH + "-2.ndjson.gz", "flowstone-" + OldRuns.MONTH + ".ndjson.gz"),
                files());
        assertEquals(2, opened().archives().list().size());
        assertAllChainsStand(0);
    }

    @Test
    void theNameOfAnArchiveIsNeverGivenAgainWhereverItsFileIs() throws Exception {
        over(Moves.ACME);
        Files.delete(archived().file());
        over(Moves.ACME);

        ArchiveRecord second = archived().record();

        assertEquals("flowstone-" + OldRuns.MONTH + "-2.ndjson.gz", second.file());
        over(Moves.ACME);
        ArchiveRefusedException refused = assertThrows(ArchiveRefusedException.class, () -> {
            UUID attempt = UUID.randomUUID();
            opened().archives().stage(OldRuns.MONTH, OldRuns.CUTOFF, attempt);
            admin("UPDATE flowstone.archiving SET confirmed = true");
            opened().archives().replace(attempt, second);
        });
        assertEquals("there is an archive of the name " + second.file() + " already", refused.getMessage());
    }

    @Test
    void onlyItsMakerMayReadAFile() throws Exception {
        over(Moves.ACME);
        Path deep = folder.resolve("a/b");

        archiver().archive(OldRuns.MONTH, OldRuns.CUTOFF, deep, ArchiveStage.Listener.NONE);

        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(folder.resolve("a"))));
        assertEquals("rwx------", PosixFilePermissions.toString(Files.getPosixFilePermissions(deep)));
        assertEquals(
                "rw-------",
                PosixFilePermissions.toString(
                        Files.getPosixFilePermissions(deep.resolve("flowstone-" + OldRuns.MONTH + ".ndjson.gz"))));
    }

    @Test
    void whatEndedInTheLastDayStaysWhoeverAsks() throws Exception {
        RunKey run = over(Moves.ACME);
        admin("UPDATE flowstone.runs SET ended_at = now() - interval '23 hours' WHERE run_id = '" + run.run() + "'");

        Staged found = archiver().look(OldRuns.MONTH, Instant.now().plusSeconds(1_000_000));

        assertEquals(new Staged(1, 1, 0, 0), found);
    }

    @Test
    void lookingCountsAndChangesNothing() throws Exception {
        over(Moves.ACME);
        living();

        assertEquals(new Staged(2, 1, 1, 6), archiver().look(OldRuns.MONTH, OldRuns.CUTOFF));

        assertAllChainsStand(2);
        assertEquals(0, number("SELECT count(*) FROM flowstone.archiving"));
        assertEquals(List.of(), files());
    }

    @Test
    void aMonthThatIsNotOverOrHasNoPartitionIsRefused() {
        for (YearMonth month : List.of(YearMonth.now(ZoneOffset.UTC), OldRuns.MONTH.minusMonths(1))) {
            assertThrows(
                    ArchiveRefusedException.class,
                    () -> archiver().archive(month, Instant.now(), folder, ArchiveStage.Listener.NONE));
        }
    }

    @Test
    void aTenantIsToldOfItsOwnArchivesOnly() throws Exception {
        RunKey acme = over(Moves.ACME);
        archived();

        try (Connection api = TestServer.api(config())) {
            api.setAutoCommit(false);
            run(api, "SELECT set_config('flowstone.tenant', 'other', true)");
            assertEquals(0, number(api, "SELECT count(*) FROM flowstone.archived_tenants"));
            run(api, "SELECT set_config('flowstone.tenant', 'acme', true)");
            assertEquals(1, number(api, "SELECT count(*) FROM flowstone.archived_tenants"));
        }
        assertEquals(
                List.of("flowstone-" + OldRuns.MONTH + ".ndjson.gz"),
                opened().ports().runs().archives(Moves.ACME, acme.run()));
        assertEquals(List.of(), opened().ports().runs().archives(Moves.OTHER, acme.run()));
    }

    @Test
    void nobodyDropsAPartitionInAnotherWay() throws Exception {
        RunKey run = over(Moves.ACME);
        String partition = "flowstone." + OldRuns.partition(OldRuns.MONTH);
        try (Connection engine = TestServer.engine(config());
                Connection api = TestServer.api(config())) {
            for (String sql : List.of(
                    "DROP TABLE " + partition,
                    "ALTER TABLE flowstone.entries DETACH PARTITION " + partition,
                    "DELETE FROM flowstone.runs",
                    "INSERT INTO flowstone.archiving SELECT gen_random_uuid(), tenant, run_id, last_seq, last_hash"
                            + " FROM flowstone.runs",
                    "INSERT INTO flowstone.archives SELECT * FROM flowstone.archives",
                    "SELECT flowstone.archive_catch_up('x', NULL, NULL, NULL, NULL)")) {
                assertEquals(
                        "42501",
                        assertThrows(SQLException.class, () -> run(engine, sql), sql)
                                .getSQLState(),
                        sql);
            }
            assertEquals(
                    "42501",
                    assertThrows(
                                    SQLException.class,
                                    () -> run(api, "SELECT flowstone.archive_stage(now()::date, now(), NULL)"))
                            .getSQLState());
        }
        try (Connection owner = TestServer.admin(config())) {
            run(owner, "SET ROLE flowstone_owner");
            assertEquals(0, number(owner, "SELECT count(*) FROM flowstone.runs"), "only within its functions");
            assertEquals(
                    "23001",
                    assertThrows(SQLException.class, () -> run(owner, "DELETE FROM flowstone.archives"))
                            .getSQLState());
        }
        assertTrue(isThere(run));
    }
}
