package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.state.RunStatus;
import java.nio.file.Path;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/** A run that its node couldn't read stands still, also once its rows are whole again, until somebody has it taken up again. */
final class SetAsideTest {
    private static final Map<String, String> SETTINGS = Map.of("stuck.after", "1ms");
    private static final String PAYING = """
            {"$schema": "https://flowstone.dev/schema/states-1.json", "id": "paying", "name": "P", "start": "paid",
             "states": {"paid": {"wait": {"signal": "paid", "key": "k"}, "next": "done"}, "done": {"end": {}}}}""";

    /** As no node has written it. */
    private static final String SPOIL = """
            INSERT INTO flowstone.snapshots
            SELECT tenant, run_id, 1, '\\x78'::bytea FROM flowstone.runs WHERE run_id = 'RUN'
            ON CONFLICT (tenant, run_id) DO UPDATE SET bytes = excluded.bytes""";

    @TempDir
    private Path folder = Path.of("");

    private static void execute(Company company, String sql) throws Exception {
        try (Connection superuser = company.superuser();
                Statement statement = superuser.createStatement()) {
            assertEquals(1, statement.executeUpdate(sql), sql);
        }
    }

    private static boolean sleeps(Company company, RunId run) throws Exception {
        try (Connection superuser = company.superuser();
                Statement statement = superuser.createStatement();
                ResultSet row =
                        statement.executeQuery("SELECT NOT awake FROM flowstone.runs WHERE run_id = '" + run + "'")) {
            return row.next() && row.getBoolean(1);
        }
    }

    private static boolean isSetAside(House house, RunId run) throws Exception {
        String told = house.get("/stuck?kind=set_aside").expect(200).text();
        return told.contains(run.toString()) && told.contains("\"help\":\"reenqueue\"");
    }

    @Test
    void aRunThatWasSetAsideGoesOnWhenItIsTakenUpAgain() throws Exception {
        try (Company company = new Company(folder)) {
            company.join("one", SETTINGS);
            company.untilEachHasItsPart();
            company.any(0).publish(PAYING);
            RunId run = company.any(0).start("paying", "{}");
            Company.until("it waits for the signal", () -> sleeps(company, run));
            company.leave();
            execute(company, SPOIL.replace("RUN", run.toString()));
            company.join("one", SETTINGS);
            company.untilEachHasItsPart();
            House house = company.any(0);
            house.post("/signals", "{\"type\": \"paid\", \"key\": \"k\"}").expect(202);
            Company.until("it is set aside", () -> isSetAside(house, run));
            House.Answer damaged = reenqueued(house, run).expect(409);
            assertEquals("WFENG002", damaged.text("code"));

            execute(company, "DELETE FROM flowstone.snapshots WHERE run_id = '" + run + "'");
            assertTrue(isSetAside(house, run), "it stands still all the same");
            assertEquals("Running", house.get("/executions/" + run).expect(200).text("status"));
            reenqueued(house, run).expect(200);

            assertEquals(RunStatus.SUCCEEDED, house.await(run).status());
            Company.until(
                    "nothing stands still",
                    () -> house.get("/stuck").expect(200).text().contains("\"items\":[]"));
        }
    }

    private static House.Answer reenqueued(House house, RunId run) throws Exception {
        return house.post("/executions/" + run + "/reenqueue", "{\"reason\": \"its rows are whole again\"}");
    }
}
