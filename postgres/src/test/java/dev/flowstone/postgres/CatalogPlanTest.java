package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.sql.Connection;
import java.util.List;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;

/** One entry costs what its own versions and changes cost, and what is off what was ever turned off. */
final class CatalogPlanTest extends PostgresTest {
    /** Of each node, or of all. */
    private static final Pattern OFFERS_BY_ID =
            Pattern.compile("using catalog_offers_\\w+ on catalog_offers .*\\n *Index Cond: .*id = ");

    private static final List<String> FILLED = List.of(
            "INSERT INTO flowstone.catalog_nodes SELECT 'n' || i, now() FROM generate_series(1, 20) i",
            "INSERT INTO flowstone.catalog_offers SELECT 'n' || n, k, 'a' || i || '.b', '1.0.0'"
                    + " FROM generate_series(1, 20) n, generate_series(1, 100) i, (VALUES ('ACTION'), ('CONNECTOR')) v (k)",
            "INSERT INTO flowstone.catalog_connectors SELECT 'a' || i, '1.' || v || '.0', '', '', NULL, NULL, true, true, NULL, NULL, '{}', now()"
                    + " FROM generate_series(1, 1000) i, generate_series(1, 2) v",
            "INSERT INTO flowstone.catalog_actions SELECT 'a' || i || '.b', '1.' || v || '.0', 'a' || i, '', '', '', '{}', '{}', '{}', true, NULL, NULL, now()"
                    + " FROM generate_series(1, 1000) i, generate_series(1, 2) v",
            "INSERT INTO flowstone.catalog_switches SELECT k, 'a' || i, r, mod(r, 2) = 0 OR i > 5, NULL, now(), 'user:ann'"
                    + " FROM generate_series(1, 100) i, generate_series(1, 20) r, (VALUES ('ACTION'), ('CONNECTOR')) v (k)",
            "ANALYZE flowstone.catalog_nodes, flowstone.catalog_offers, flowstone.catalog_connectors, flowstone.catalog_actions,"
                    + " flowstone.catalog_switches");

    @Test
    void eachIsFoundAlongItsKey() throws Exception {
        try (Connection connection = TestServer.admin(config())) {
            run(connection, FILLED.toArray(String[]::new));
            String action = OutboxPlanTest.plan(connection, "text", "'a7.b'", PostgresCatalog.ACTION);
            String connector = OutboxPlanTest.plan(connection, "text", "'a7'", PostgresCatalog.CONNECTOR);
            String off = OutboxPlanTest.plan(connection, "text", "''", PostgresCatalog.OFF + " AND ? = ''");

            for (String plan : List.of(action, connector)) {
                for (String wrong : List.of("Seq Scan", "hashed SubPlan", "Materialize")) {
                    assertFalse(plan.contains(wrong), plan);
                }
                assertTrue(OFFERS_BY_ID.matcher(plan).find(), plan);
                assertTrue(plan.contains("catalog_switches_pkey"), plan);
            }
            assertTrue(action.contains("catalog_actions_pkey"), action);
            assertTrue(off.contains("catalog_switches_off"), off);
        }
    }
}
