package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.policy.PolicyStore;
import dev.flowstone.engine.policy.PolicyVersion;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.PolicyName;
import dev.flowstone.kernel.json.JsonObject;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;
import org.junit.jupiter.api.Test;

/** Statements of the releases before find their way in this release's schema (dataflow §19.2). */
final class RollingUpgradeTest extends PostgresTest {
    private static final PolicyName NAME = new PolicyName("release");
    private static final Actor ANN = new Actor("user", "ann");

    /** As releases whose newest schema is V11 publish. */
    private static final String V11_PUBLISH = """
            INSERT INTO flowstone.policies (tenant, policy, version, bundle, hash, published_at)
            VALUES (?, ?, ?, ?, ?, now())
            """;

    private static final String PUBLISH = """
            INSERT INTO flowstone.policies (tenant, policy, version, bundle, hash, published_at, published_by)
            VALUES (?, ?, ?, ?, ?, now(), '')
            """;

    private static JsonObject bundle(int number) {
        return JsonObject.builder().put("kind", "rules").put("number", number).build();
    }

    private void insert(String sql, int version, JsonObject bundle) throws SQLException {
        try (Connection connection = TestServer.admin(config())) {
            connection.setAutoCommit(false);
            run(connection, "SET LOCAL ROLE flowstone_api");
            run(connection, "SELECT set_config('flowstone.tenant', '" + Moves.ACME.value() + "', true)");
            try (PreparedStatement insert = connection.prepareStatement(sql)) {
                insert.setString(1, Moves.ACME.value());
                insert.setString(2, NAME.value());
                insert.setInt(3, version);
                insert.setBytes(4, Json.write(bundle));
                insert.setBytes(5, PolicyVersion.hash(bundle).bytes());
                insert.executeUpdate();
            }
            connection.commit();
        }
    }

    @Test
    void aNodeThatKnowsNoPublisherStillPublishes() throws Exception {
        PolicyStore policies = opened().ports().policies();
        policies.publish(Moves.ACME, NAME, bundle(1), ANN, Instant.now());

        insert(V11_PUBLISH, 2, bundle(2));

        PolicyVersion current = policies.current(Moves.ACME, NAME).orElseThrow();
        assertEquals(2, current.version());
        assertEquals(bundle(2), current.bundle());
        assertEquals(Optional.empty(), current.publishedBy());
        PolicyVersion next = policies.publish(Moves.ACME, NAME, bundle(3), ANN, Instant.now());
        assertEquals(3, next.version());
        assertEquals(
                Optional.of(ANN),
                policies.current(Moves.ACME, NAME).orElseThrow().publishedBy());
    }

    @Test
    void whoNamesAPublisherNamesSomebody() {
        SQLException refusal = assertThrows(SQLException.class, () -> insert(PUBLISH, 1, bundle(1)));

        assertEquals("23514", refusal.getSQLState());
        assertTrue(String.valueOf(refusal.getMessage()).contains("policies_published_by_somebody"));
    }
}
