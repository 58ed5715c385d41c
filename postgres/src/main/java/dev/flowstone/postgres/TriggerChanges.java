package dev.flowstone.postgres;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.trigger.TriggerKey;
import dev.flowstone.engine.trigger.TriggerKind;
import dev.flowstone.engine.trigger.Triggers;
import dev.flowstone.engine.trigger.Triggers.Change;
import dev.flowstone.engine.trigger.Triggers.Request;
import dev.flowstone.engine.trigger.Triggers.Signer;
import dev.flowstone.engine.trigger.Triggers.Wish;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.json.JsonObject;
import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.SQLException;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;

/** What people change of triggers, each change in one transaction of its tenant. */
final class TriggerChanges {
    private static final int ATTEMPTS = 5;

    private final Database api;

    TriggerChanges(Database api) {
        this.api = api;
    }

    /** Those who make triggers of a tenant stand in line. */
    private static final String LOCK = "SELECT pg_advisory_xact_lock(hashtextextended(?, 26))";

    /** It stays as it is until the trigger is there: who takes it into use meanwhile wakes this one's schedule, too. */
    private static final String WORKFLOW =
            "SELECT 1 FROM flowstone.workflows WHERE tenant = ? AND workflow = ? FOR SHARE";

    private static final String COUNT = "SELECT count(*) FROM flowstone.triggers WHERE tenant = ?";

    private static final String INSERT = """
            INSERT INTO flowstone.triggers (tenant, id, workflow, kind, enabled, config, condition, revision, created_at, created_by,
                                            changed_at, changed_by)
            VALUES (?, ?, ?, ?, ?, ?, ?, 1, clock_timestamp(), ?, clock_timestamp(), ?)
            """;

    Change create(
            TriggerKey key,
            WorkflowId workflow,
            TriggerKind kind,
            boolean enabled,
            Wish wish,
            Optional<Request> request,
            Actor by,
            Map<Integer, Long> heads)
            throws JournalException {
        return api.asTenant(key.tenant(), connection -> {
            execute(connection, LOCK, lock -> lock.setString(1, key.tenant().value()));
            Optional<Change> before = request.isEmpty()
                    ? Optional.empty()
                    : TriggerRequests.before(connection, key.tenant(), request.get());
            if (before.isPresent()) {
                return before.get();
            }
            if (isMissing(connection, key, workflow)) {
                return new Change.NoWorkflow();
            }
            if (count(connection, key) >= Triggers.MOST) {
                return new Change.TooMany();
            }
            if (kept(wish.secrets()) > 0) {
                return new Change.NoSuchSecret(0);
            }
            execute(connection, INSERT, insert -> {
                int bound = TriggerRows.key(insert, key, 0);
                insert.setString(++bound, workflow.value());
                insert.setString(++bound, kind.stored());
                insert.setBoolean(++bound, enabled);
                insert.setBytes(++bound, Json.write(wish.config()));
                insert.setString(++bound, wish.condition().orElse(null));
                insert.setString(++bound, by.toString());
                insert.setString(++bound, by.toString());
            });
            sign(connection, key, wish.secrets());
            if (request.isPresent()) {
                TriggerRequests.remember(connection, key, request.get());
            }
            if (kind == TriggerKind.SCHEDULE) {
                ScheduleChanges.begin(connection, key);
            }
            if (kind == TriggerKind.EVENT) {
                listen(connection, key, wish.config(), heads, true);
            }
            return now(connection, key, true);
        });
    }

    private static boolean isMissing(Connection connection, TriggerKey key, WorkflowId workflow) throws SQLException {
        return Database.query(
                        connection,
                        WORKFLOW,
                        query -> {
                            query.setString(1, key.tenant().value());
                            query.setString(2, workflow.value());
                        },
                        row -> row.getInt(1))
                .isEmpty();
    }

    private static long count(Connection connection, TriggerKey key) throws SQLException {
        return Database.query(
                        connection,
                        COUNT,
                        query -> query.setString(1, key.tenant().value()),
                        row -> row.getLong(1))
                .getFirst();
    }

    private static final String CURRENT =
            "SELECT revision, enabled, kind, config FROM flowstone.triggers WHERE tenant = ? AND id = ? FOR UPDATE";

    private record Current(long revision, boolean enabled, TriggerKind kind, JsonObject config) {
        boolean isScheduled() {
            return kind == TriggerKind.SCHEDULE;
        }
    }

    /** Does it, once the trigger is locked and found to be as expected. */
    @FunctionalInterface
    private interface Step {
        Change take(Connection connection, Current current) throws SQLException;
    }

    /** Ticks of a schedule are locked by those who close them, in another order than by who changes or removes it. */
    private Change change(TriggerKey key, OptionalLong expected, Step step) throws JournalException {
        for (int attempt = 1; ; attempt++) {
            try {
                return once(key, expected, step);
            } catch (JournalException e) {
                if (!SqlErrors.isDeadlock(e) || attempt == ATTEMPTS) {
                    throw e;
                }
            }
        }
    }

    private Change once(TriggerKey key, OptionalLong expected, Step step) throws JournalException {
        return api.asTenant(key.tenant(), connection -> {
            Optional<Current> current = Database.query(
                            connection,
                            CURRENT,
                            query -> TriggerRows.key(query, key, 0),
                            row -> new Current(
                                    row.getLong(1),
                                    row.getBoolean(2),
                                    TriggerKind.ofStored(row.getString(3)),
                                    Json.read(row.getBytes(4))))
                    .stream()
                    .findFirst();
            if (current.isEmpty()) {
                return new Change.Unknown();
            }
            if (expected.isPresent() && current.get().revision() != expected.getAsLong()) {
                return new Change.OtherRevision(current.get().revision());
            }
            return step.take(connection, current.get());
        });
    }

    private static final String UPDATE = """
            UPDATE flowstone.triggers
            SET enabled = ?, config = ?, condition = ?, revision = revision + 1, changed_at = clock_timestamp(), changed_by = ?
            WHERE tenant = ? AND id = ?
            """;

    Change update(
            TriggerKey key,
            Optional<Boolean> enabled,
            Wish wish,
            OptionalLong expected,
            Actor by,
            Map<Integer, Long> heads)
            throws JournalException {
        return change(key, expected, (connection, current) -> {
            int there = secrets(connection, key);
            if (kept(wish.secrets()) > there) {
                return new Change.NoSuchSecret(there);
            }
            boolean isOn = enabled.orElse(current.enabled());
            if (current.isScheduled()
                    && !ScheduleChanges.change(connection, key, wish.config())
                    && isOn != current.enabled()) {
                ScheduleChanges.wake(connection, key);
            }
            execute(connection, UPDATE, update -> {
                update.setBoolean(1, isOn);
                update.setBytes(2, Json.write(wish.config()));
                update.setString(3, wish.condition().orElse(null));
                update.setString(4, by.toString());
                TriggerRows.key(update, key, 4);
            });
            sign(connection, key, wish.secrets());
            if (current.kind() == TriggerKind.EVENT) {
                boolean turnedOn = enabled.orElse(false) && !current.enabled();
                listen(connection, key, wish.config(), heads, turnedOn);
            }
            return now(connection, key, false);
        });
    }

    private static final String ENABLE = """
            UPDATE flowstone.triggers
            SET enabled = ?, revision = revision + 1, changed_at = clock_timestamp(), changed_by = ?
            WHERE tenant = ? AND id = ?
            """;

    Change enable(TriggerKey key, boolean enabled, OptionalLong expected, Actor by, Map<Integer, Long> heads)
            throws JournalException {
        return change(key, expected, (connection, current) -> {
            if (current.enabled() != enabled) {
                if (current.isScheduled()) {
                    ScheduleChanges.wake(connection, key);
                }
                execute(connection, ENABLE, update -> {
                    update.setBoolean(1, enabled);
                    update.setString(2, by.toString());
                    TriggerRows.key(update, key, 2);
                });
            }
            if (current.kind() == TriggerKind.EVENT && enabled && !current.enabled()) {
                listen(connection, key, current.config(), heads, true);
            }
            return now(connection, key, false);
        });
    }

    private static final String LISTEN = """
            INSERT INTO flowstone.trigger_events AS e (tenant, trigger_id, streams, numbers, engine)
            VALUES (?, ?, ?::integer[], ?::bigint[], ?)
            ON CONFLICT (tenant, trigger_id) DO UPDATE
            SET streams = CASE WHEN ? OR NOT e.engine THEN EXCLUDED.streams ELSE e.streams END,
                numbers = CASE WHEN ? OR NOT e.engine THEN EXCLUDED.numbers ELSE e.numbers END,
                engine = EXCLUDED.engine
            """;

    /**
     * Has it listen to what its configuration says.
     *
     * @param heads behind which rows of the feed it listens, if it hasn't listened to the feed before
     * @param anew whether it listens from there on, whatever it has heard before: what happened while it was off isn't made up for
     */
    static void listen(Connection connection, TriggerKey key, JsonObject config, Map<Integer, Long> heads, boolean anew)
            throws SQLException {
        List<Map.Entry<Integer, Long>> rows = List.copyOf(heads.entrySet());
        execute(connection, LISTEN, listen -> {
            int bound = TriggerRows.key(listen, key, 0);
            listen.setObject(++bound, BinaryArray.ints(rows, Map.Entry::getKey));
            listen.setObject(++bound, BinaryArray.longs(rows, Map.Entry::getValue));
            listen.setBoolean(++bound, PostgresEventTriggers.hearsEngine(config));
            listen.setBoolean(++bound, anew);
            listen.setBoolean(++bound, anew);
        });
    }

    private static final String REMOVE = "DELETE FROM flowstone.triggers WHERE tenant = ? AND id = ?";

    Change remove(TriggerKey key, OptionalLong expected) throws JournalException {
        return change(key, expected, (connection, _) -> {
            execute(connection, REMOVE, delete -> TriggerRows.key(delete, key, 0));
            return new Change.Removed();
        });
    }

    private static Change now(Connection connection, TriggerKey key, boolean created) throws SQLException {
        return new Change.Made(created, TriggerRows.find(connection, key).orElseThrow());
    }

    private static final String SECRETS =
            "SELECT count(place) FROM flowstone.trigger_secrets WHERE tenant = ? AND trigger_id = ?";

    private static int secrets(Connection connection, TriggerKey key) throws SQLException {
        return Database.query(connection, SECRETS, query -> TriggerRows.key(query, key, 0), row -> row.getInt(1))
                .getFirst();
    }

    private static int kept(Optional<List<Signer>> wanted) {
        return (int) wanted.orElse(List.of()).stream()
                .filter(Signer.Kept.class::isInstance)
                .count();
    }

    private static final String DROP =
            "DELETE FROM flowstone.trigger_secrets WHERE tenant = ? AND trigger_id = ? AND place >= ?";

    private static final String MOVE = """
            UPDATE flowstone.trigger_secrets SET place = ?
            WHERE tenant = ? AND trigger_id = ? AND place = ?
            """;

    private static final String SIGN =
            "INSERT INTO flowstone.trigger_secrets (tenant, trigger_id, place, secret) VALUES (?, ?, ?, ?)";

    /** Those that are kept move to where they are wanted, the last one first, so that none meets another. */
    private static void sign(Connection connection, TriggerKey key, Optional<List<Signer>> wanted) throws SQLException {
        if (wanted.isEmpty()) {
            return;
        }
        int kept = kept(wanted);
        execute(connection, DROP, delete -> delete.setInt(TriggerRows.key(delete, key, 0) + 1, kept));
        int from = kept;
        for (int place = wanted.get().size() - 1; place >= 0; place--) {
            if (wanted.get().get(place) instanceof Signer.Kept) {
                move(connection, key, --from, place);
            }
        }
        for (int place = 0; place < wanted.get().size(); place++) {
            if (wanted.get().get(place) instanceof Signer.Fresh fresh) {
                insert(connection, key, place, fresh);
            }
        }
    }

    private static void move(Connection connection, TriggerKey key, int from, int to) throws SQLException {
        if (from != to) {
            execute(connection, MOVE, update -> {
                update.setInt(1, to);
                update.setInt(TriggerRows.key(update, key, 1) + 1, from);
            });
        }
    }

    private static void insert(Connection connection, TriggerKey key, int place, Signer.Fresh fresh)
            throws SQLException {
        execute(connection, SIGN, insert -> {
            int bound = TriggerRows.key(insert, key, 0);
            insert.setInt(++bound, place);
            insert.setString(++bound, fresh.secret().text());
        });
    }

    static void execute(Connection connection, String sql, Database.Binding binding) throws SQLException {
        try (PreparedStatement statement = connection.prepareStatement(sql)) {
            binding.bind(statement);
            statement.execute();
        }
    }
}
