package dev.flowstone.postgres;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.workflow.OwnTrigger;
import dev.flowstone.engine.workflow.WorkflowRow;
import dev.flowstone.engine.workflow.WorkflowStatus;
import dev.flowstone.engine.workflow.WorkflowStore;
import dev.flowstone.engine.workflow.WorkflowVersion;
import dev.flowstone.engine.workflow.WorkflowVersionEntry;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalInt;

/** Definitions as the API's role, each call in its tenant's transaction. */
final class PostgresWorkflowStore implements WorkflowStore {
    private final Database api;
    private final PostgresEventTriggers events;

    /** @param engine by which the feed is looked at */
    PostgresWorkflowStore(Database engine, Database api) {
        this.api = api;
        this.events = new PostgresEventTriggers(engine);
    }

    private static final String FIND = """
            SELECT workflow, display_name, description, status, enabled, current_version, latest_version, draft,
                   created_at, updated_at, revision
            FROM flowstone.workflows
            WHERE tenant = ? AND workflow = ?
            """;

    @Override
    public Optional<WorkflowRow> find(TenantId tenant, WorkflowId workflow) throws JournalException {
        return api
                .queryAsTenant(tenant, FIND, query -> names(query, tenant, workflow), row -> workflow(tenant, row))
                .stream()
                .findFirst();
    }

    private static final String LIST = """
            SELECT workflow, display_name, description, status, enabled, current_version, latest_version, draft,
                   created_at, updated_at, revision
            FROM flowstone.workflows
            WHERE tenant = ? AND workflow > ? AND (?::text IS NULL OR status = ?)
            ORDER BY workflow
            LIMIT ?
            """;

    @Override
    public List<WorkflowRow> list(
            TenantId tenant, Optional<WorkflowStatus> status, Optional<WorkflowId> after, int limit)
            throws JournalException {
        return api.queryAsTenant(
                tenant,
                LIST,
                query -> {
                    query.setString(1, tenant.value());
                    query.setString(2, after.map(WorkflowId::value).orElse(""));
                    query.setString(3, status.map(WorkflowStatus::name).orElse(null));
                    query.setString(4, status.map(WorkflowStatus::name).orElse(null));
                    query.setInt(5, limit);
                },
                row -> workflow(tenant, row));
    }

    private static WorkflowRow workflow(TenantId tenant, ResultSet row) throws SQLException {
        return new WorkflowRow(
                tenant,
                new WorkflowId(row.getString(1)),
                row.getString(2),
                Optional.ofNullable(row.getString(3)),
                WorkflowStatus.valueOf(row.getString(4)),
                row.getBoolean(5),
                row.getInt(6),
                row.getInt(7),
                Optional.ofNullable(row.getBytes(8)),
                Times.instant(row, 9),
                Times.instant(row, 10),
                row.getLong(11));
    }

    private static final String CREATE = """
            INSERT INTO flowstone.workflows
                (display_name, description, status, enabled, current_version, latest_version, draft, created_at,
                 updated_at, revision, tenant, workflow)
            VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ? + 1, ?, ?)
            ON CONFLICT DO NOTHING
            """;

    private static final String CHANGE = """
            UPDATE flowstone.workflows
            SET display_name = ?, description = ?, status = ?, enabled = ?, current_version = ?, latest_version = ?,
                draft = ?, created_at = ?, updated_at = ?, revision = ? + 1
            WHERE tenant = ? AND workflow = ? AND revision = ?
            """;

    @Override
    public Optional<WorkflowRow> save(WorkflowRow row, long expectedRevision, Optional<WorkflowVersion> newVersion)
            throws JournalException {
        return save(row, expectedRevision, newVersion, Optional.empty());
    }

    @Override
    public Optional<WorkflowRow> save(
            WorkflowRow row,
            long expectedRevision,
            Optional<WorkflowVersion> newVersion,
            Optional<List<OwnTrigger>> triggers)
            throws JournalException {
        Map<Integer, Long> heads = triggers.filter(it -> !it.isEmpty()).isPresent() ? events.heads() : Map.of();
        boolean saved = api.asTenant(row.tenant(), connection -> {
            boolean moved = write(connection, row, expectedRevision);
            if (moved && newVersion.isPresent()) {
                insert(connection, row, newVersion.get());
            }
            if (moved && triggers.isPresent()) {
                OwnTriggers.replace(connection, row, triggers.get(), heads);
            }
            return moved;
        });
        return saved ? Optional.of(row.withRevision(expectedRevision + 1)) : Optional.empty();
    }

    @Override
    public boolean declares(TenantId tenant, WorkflowId workflow, List<OwnTrigger> triggers) throws JournalException {
        return api.asTenant(tenant, connection -> OwnTriggers.are(connection, tenant, workflow, triggers));
    }

    private static boolean write(Connection connection, WorkflowRow row, long expectedRevision) throws SQLException {
        try (PreparedStatement write = connection.prepareStatement(expectedRevision == 0 ? CREATE : CHANGE)) {
            write.setString(1, row.displayName());
            write.setString(2, row.description().orElse(null));
            write.setString(3, row.status().name());
            write.setBoolean(4, row.enabled());
            write.setInt(5, row.currentVersion());
            write.setInt(6, row.latestVersion());
            write.setBytes(7, row.draft().orElse(null));
            write.setObject(8, Times.parameter(row.createdAt()));
            write.setObject(9, Times.parameter(row.updatedAt()));
            write.setLong(10, expectedRevision);
            write.setString(11, row.tenant().value());
            write.setString(12, row.id().value());
            if (expectedRevision != 0) {
                write.setLong(13, expectedRevision);
            }
            return write.executeUpdate() == 1;
        }
    }

    private static final String PUBLISH = """
            WITH compiled AS (
                INSERT INTO flowstone.programs (tenant, hash, bytes) VALUES (?, ?, ?)
                ON CONFLICT DO NOTHING
            )
            INSERT INTO flowstone.workflow_versions (tenant, workflow, version, source, checksum, program, published_at)
            VALUES (?, ?, ?, ?, ?, ?, ?)
            """;

    private static void insert(Connection connection, WorkflowRow row, WorkflowVersion version) throws SQLException {
        if (!version.tenant().equals(row.tenant()) || !version.workflow().equals(row.id())) {
            throw new IllegalArgumentException("a version of another workflow");
        }
        try (PreparedStatement insert = connection.prepareStatement(PUBLISH)) {
            insert.setString(1, version.tenant().value());
            insert.setBytes(2, version.program().bytes());
            insert.setBytes(3, version.programBytes());
            insert.setString(4, version.tenant().value());
            insert.setString(5, version.workflow().value());
            insert.setInt(6, version.version());
            insert.setBytes(7, version.source());
            insert.setBytes(8, version.checksum().bytes());
            insert.setBytes(9, version.program().bytes());
            insert.setObject(10, Times.parameter(version.publishedAt()));
            insert.executeUpdate();
        }
    }

    private static final String VERSION = """
            SELECT v.workflow, v.version, v.source, v.checksum, v.program, p.bytes, v.published_at
            FROM flowstone.workflow_versions v
            JOIN flowstone.programs p ON p.tenant = v.tenant AND p.hash = v.program
            WHERE v.tenant = ? AND v.workflow = ? AND v.version = ?
            """;

    @Override
    public Optional<WorkflowVersion> version(TenantId tenant, WorkflowId workflow, int version)
            throws JournalException {
        return api
                .queryAsTenant(
                        tenant,
                        VERSION,
                        query -> {
                            names(query, tenant, workflow);
                            query.setInt(3, version);
                        },
                        row -> version(tenant, row))
                .stream()
                .findFirst();
    }

    private static final String VERSIONS = """
            SELECT version, checksum, program, published_at
            FROM flowstone.workflow_versions
            WHERE tenant = ? AND workflow = ? AND version < ?
            ORDER BY version DESC
            LIMIT ?
            """;

    @Override
    public List<WorkflowVersionEntry> versions(TenantId tenant, WorkflowId workflow, OptionalInt before, int limit)
            throws JournalException {
        return api.queryAsTenant(
                tenant,
                VERSIONS,
                query -> {
                    names(query, tenant, workflow);
                    query.setLong(3, before.isPresent() ? before.getAsInt() : Long.MAX_VALUE);
                    query.setInt(4, limit);
                },
                row -> new WorkflowVersionEntry(
                        row.getInt(1),
                        Sha256.ofBytes(row.getBytes(2)),
                        Sha256.ofBytes(row.getBytes(3)),
                        Times.instant(row, 4)));
    }

    private static final String BY_CHECKSUM = """
            SELECT v.workflow, v.version, v.source, v.checksum, v.program, p.bytes, v.published_at
            FROM flowstone.workflow_versions v
            JOIN flowstone.programs p ON p.tenant = v.tenant AND p.hash = v.program
            WHERE v.tenant = ? AND v.workflow = ? AND v.checksum = ?
            ORDER BY v.version DESC
            LIMIT 1
            """;

    @Override
    public Optional<WorkflowVersion> versionByChecksum(TenantId tenant, WorkflowId workflow, Sha256 checksum)
            throws JournalException {
        return api
                .queryAsTenant(
                        tenant,
                        BY_CHECKSUM,
                        query -> {
                            names(query, tenant, workflow);
                            query.setBytes(3, checksum.bytes());
                        },
                        row -> version(tenant, row))
                .stream()
                .findFirst();
    }

    private static WorkflowVersion version(TenantId tenant, ResultSet row) throws SQLException {
        return new WorkflowVersion(
                tenant,
                new WorkflowId(row.getString(1)),
                row.getInt(2),
                row.getBytes(3),
                Sha256.ofBytes(row.getBytes(4)),
                Sha256.ofBytes(row.getBytes(5)),
                row.getBytes(6),
                Times.instant(row, 7));
    }

    private static final String PROGRAM = "SELECT bytes FROM flowstone.programs WHERE tenant = ? AND hash = ?";

    @Override
    public Optional<byte[]> program(TenantId tenant, Sha256 hash) throws JournalException {
        return api
                .queryAsTenant(
                        tenant,
                        PROGRAM,
                        query -> {
                            query.setString(1, tenant.value());
                            query.setBytes(2, hash.bytes());
                        },
                        row -> row.getBytes(1))
                .stream()
                .findFirst();
    }

    private static final String KEEP_PROGRAM = """
            INSERT INTO flowstone.programs (tenant, hash, bytes) VALUES (?, ?, ?)
            ON CONFLICT DO NOTHING
            """;

    @Override
    public void keepProgram(TenantId tenant, Sha256 hash, byte[] bytes) throws JournalException {
        api.asTenant(tenant, connection -> {
            try (PreparedStatement insert = connection.prepareStatement(KEEP_PROGRAM)) {
                insert.setString(1, tenant.value());
                insert.setBytes(2, hash.bytes());
                insert.setBytes(3, bytes);
                return insert.executeUpdate();
            }
        });
    }

    private static final String DROP_DRAFT = "SELECT flowstone.drop_draft(?, ?)";

    @Override
    public boolean deleteDraft(TenantId tenant, WorkflowId workflow, long expectedRevision) throws JournalException {
        return api.queryAsTenant(
                        tenant,
                        DROP_DRAFT,
                        query -> {
                            query.setString(1, workflow.value());
                            query.setLong(2, expectedRevision);
                        },
                        row -> row.getBoolean(1))
                .getFirst();
    }

    private static void names(PreparedStatement statement, TenantId tenant, WorkflowId workflow) throws SQLException {
        statement.setString(1, tenant.value());
        statement.setString(2, workflow.value());
    }
}
