package dev.flowstone.postgres;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.policy.PolicyStore;
import dev.flowstone.engine.policy.PolicyVersion;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.PolicyName;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonObject;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Instant;
import java.util.Optional;

/** Policies as the API's role, each call in its tenant's transaction. */
final class PostgresPolicyStore implements PolicyStore {
    private final Database api;

    PostgresPolicyStore(Database api) {
        this.api = api;
    }

    /** Publications of one policy stand in line, so that its numbers have no gap. */
    private static final String LOCK = "SELECT pg_advisory_xact_lock(hashtextextended(?, 11))";

    private static final String CURRENT = """
            SELECT policy, version, bundle, hash, published_at, published_by
            FROM flowstone.policies
            WHERE tenant = ? AND policy = ?
            ORDER BY version DESC
            LIMIT 1
            """;

    private static final String PUBLISH = """
            INSERT INTO flowstone.policies (tenant, policy, version, bundle, hash, published_at, published_by)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """;

    @Override
    public PolicyVersion publish(TenantId tenant, PolicyName name, JsonObject bundle, Actor by, Instant at)
            throws JournalException {
        Sha256 hash = PolicyVersion.hash(bundle);
        return api.asTenant(tenant, connection -> {
            lock(connection, tenant, name);
            Optional<PolicyVersion> current = current(connection, tenant, name);
            if (current.filter(it -> it.hash().equals(hash)).isPresent()) {
                return current.get();
            }
            int number = current.map(PolicyVersion::version).orElse(0) + 1;
            PolicyVersion version = new PolicyVersion(name, number, bundle, hash, at, Optional.of(by));
            insert(connection, tenant, version);
            return version;
        });
    }

    private static void lock(Connection connection, TenantId tenant, PolicyName name) throws SQLException {
        try (PreparedStatement lock = connection.prepareStatement(LOCK)) {
            lock.setString(1, tenant.value() + "/" + name);
            lock.execute();
        }
    }

    private static Optional<PolicyVersion> current(Connection connection, TenantId tenant, PolicyName name)
            throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(CURRENT)) {
            names(query, tenant, name);
            try (ResultSet row = query.executeQuery()) {
                return row.next() ? Optional.of(version(row)) : Optional.empty();
            }
        }
    }

    private static void insert(Connection connection, TenantId tenant, PolicyVersion version) throws SQLException {
        try (PreparedStatement insert = connection.prepareStatement(PUBLISH)) {
            names(insert, tenant, version.name());
            insert.setInt(3, version.version());
            insert.setBytes(4, Json.write(version.bundle()));
            insert.setBytes(5, version.hash().bytes());
            insert.setObject(6, Times.parameter(version.publishedAt()));
            insert.setString(7, version.publishedBy().orElseThrow().toString());
            insert.executeUpdate();
        }
    }

    @Override
    public Optional<PolicyVersion> current(TenantId tenant, PolicyName name) throws JournalException {
        return api
                .queryAsTenant(tenant, CURRENT, query -> names(query, tenant, name), PostgresPolicyStore::version)
                .stream()
                .findFirst();
    }

    private static final String VERSION = """
            SELECT policy, version, bundle, hash, published_at, published_by
            FROM flowstone.policies
            WHERE tenant = ? AND policy = ? AND version = ?
            """;

    @Override
    public Optional<PolicyVersion> version(TenantId tenant, PolicyName name, int version) throws JournalException {
        return api
                .queryAsTenant(
                        tenant,
                        VERSION,
                        query -> {
                            names(query, tenant, name);
                            query.setInt(3, version);
                        },
                        PostgresPolicyStore::version)
                .stream()
                .findFirst();
    }

    private static void names(PreparedStatement statement, TenantId tenant, PolicyName name) throws SQLException {
        statement.setString(1, tenant.value());
        statement.setString(2, name.value());
    }

    private static PolicyVersion version(ResultSet row) throws SQLException {
        return new PolicyVersion(
                new PolicyName(row.getString(1)),
                row.getInt(2),
                Json.read(row.getBytes(3)),
                Sha256.ofBytes(row.getBytes(4)),
                Times.instant(row, 5),
                Optional.ofNullable(row.getString(6)).map(Actor::parse));
    }
}
