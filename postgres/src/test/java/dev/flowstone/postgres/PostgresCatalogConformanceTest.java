package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.flowstone.engine.catalog.Catalog;
import dev.flowstone.engine.catalog.Off;
import dev.flowstone.engine.catalog.Offer;
import dev.flowstone.engine.catalog.OfferedConnector;
import dev.flowstone.engine.catalog.Subject;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.testkit.conformance.CatalogConformance;
import java.sql.Connection;
import java.sql.SQLException;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;

final class PostgresCatalogConformanceTest extends CatalogConformance {
    private static final String ROWS =
            "SELECT (SELECT sum(xmin::text::bigint) FROM flowstone.catalog_connectors) + count(*) FROM flowstone.catalog_connectors";

    private final OpenedPorts databases = new OpenedPorts();
    private Optional<PostgresConfig> config = Optional.empty();

    @Override
    protected Catalog open() throws Exception {
        config = Optional.of(TestServer.shared().database());
        return databases.open(config.get()).catalog();
    }

    @AfterEach
    void close() {
        databases.close();
    }

    private Connection admin() throws SQLException {
        return TestServer.admin(config.orElseThrow());
    }

    @Override
    protected void pass(Duration time) throws Exception {
        try (Connection admin = admin()) {
            PostgresTest.run(
                    admin,
                    "UPDATE flowstone.catalog_nodes SET seen_at = seen_at - interval '" + time.toSeconds() + " s'");
        }
    }

    private static Offer acme(String version) {
        OfferedConnector acme = new OfferedConnector(
                "acme",
                version,
                "Acme",
                "",
                Optional.empty(),
                Optional.empty(),
                true,
                true,
                Optional.empty(),
                Optional.empty(),
                List.of());
        return new Offer(List.of(acme), List.of());
    }

    @Test
    void whatIsThereIsNotWrittenAgainAndOldVersionsAreForgotten() throws Exception {
        Catalog catalog = open();
        catalog.register("one", acme("1.0.0"));
        try (Connection admin = admin()) {
            long before = PostgresTest.number(admin, ROWS);
            catalog.register("one", acme("1.0.0"));
            catalog.register("two", acme("1.0.0"));
            assertEquals(before, PostgresTest.number(admin, ROWS), "one row, of the same transaction");

            catalog.register("one", acme("1.1.0"));
            assertEquals(2, PostgresTest.number(admin, "SELECT count(*) FROM flowstone.catalog_connectors"));
            catalog.register("two", acme("1.2.0"));
            catalog.leave("one");
            catalog.register("two", acme("1.2.0"));
            assertEquals(1, PostgresTest.number(admin, "SELECT count(*) FROM flowstone.catalog_connectors"));
            pass(Duration.ofDays(2));
            catalog.register("three", acme("1.2.0"));
            assertEquals(1, PostgresTest.number(admin, "SELECT count(*) FROM flowstone.catalog_nodes"), "those of old");
        }
    }

    @Test
    void whatOperatorsSaidIsForEver() throws Exception {
        Catalog catalog = open();
        catalog.register("one", acme("1.0.0"));
        Catalog.Turned _ = catalog.turn(
                Subject.connector("acme"), false, Optional.empty(), OptionalLong.empty(), new Actor("user", "ann"));
        try (Connection admin = admin()) {
            for (String sql : List.of(
                    "UPDATE flowstone.catalog_switches SET is_on = true", "DELETE FROM flowstone.catalog_switches")) {
                assertThrows(SQLException.class, () -> PostgresTest.run(admin, sql), sql);
            }
        }
        try (Connection api = TestServer.api(config.orElseThrow())) {
            PostgresTest.run(api, "SELECT * FROM flowstone.catalog_switches");
            for (String table : List.of("connectors", "actions", "nodes", "offers", "switches")) {
                String change = "DELETE FROM flowstone.catalog_" + table;
                assertThrows(SQLException.class, () -> PostgresTest.run(api, change), "it is no tenant's to change");
            }
        }
    }

    @Test
    void anOperatorWaitsForNoNodeThatStarts() throws Exception {
        Catalog catalog = open();
        catalog.register("one", acme("1.0.0"));
        try (Connection starting = admin()) {
            starting.setAutoCommit(false);
            PostgresTest.run(
                    starting, CatalogChanges.REGISTERING, "UPDATE flowstone.catalog_nodes SET seen_at = seen_at");
            Catalog.Turned turned = catalog.turn(
                    Subject.connector("acme"), false, Optional.empty(), OptionalLong.empty(), new Actor("user", "ann"));
            assertInstanceOf(Catalog.Turned.Done.class, turned);
            starting.rollback();
        }
    }

    /** Those who look have connections of their own, so that they take none from who commits. */
    @Test
    void whoLooksDoesSoAsTheApi() throws Exception {
        Catalog catalog = open();
        catalog.register("one", acme("1.0.0"));
        try (Connection admin = admin()) {
            String api = config.orElseThrow().roles().api();
            PostgresTest.run(admin, "REVOKE SELECT ON flowstone.catalog_connectors FROM \"" + api + "\"");
            assertThrows(RuntimeException.class, () -> catalog.connector("acme"));
            assertThrows(RuntimeException.class, () -> catalog.connectors(Optional.empty(), 1));
            assertThrows(RuntimeException.class, () -> catalog.action("acme.no"));
            assertThrows(RuntimeException.class, () -> catalog.actions(Catalog.Filter.ALL, Optional.empty(), 1));
            assertEquals(Off.NOTHING, catalog.off());
        }
    }
}
