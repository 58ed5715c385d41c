package dev.flowstone.postgres;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.lease.Lease;
import dev.flowstone.engine.read.FeedPlace;
import dev.flowstone.engine.trigger.EventTriggers;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import java.lang.System.Logger.Level;
import java.sql.Array;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Event triggers as the owners of streams' shards see them: as the engine's role, of all tenants. */
final class PostgresEventTriggers implements EventTriggers {
    private static final System.Logger LOG = System.getLogger(PostgresEventTriggers.class.getName());

    private final Database engine;
    private final PostgresFeed feed;
    private final Set<String> unreadable = ConcurrentHashMap.newKeySet();

    PostgresEventTriggers(Database engine) {
        this.engine = engine;
        this.feed = new PostgresFeed(engine);
    }

    private static final String STREAMS = "SELECT stream FROM flowstone.shards";

    /** Whether one of this configuration wants the engine's events. */
    static boolean hearsEngine(JsonObject config) {
        return config.get("source") instanceof JsonString(String source) && source.equals("engine");
    }

    /** Where each stream ends now. */
    Map<Integer, Long> heads() throws JournalException {
        return feed.last(engine.query(STREAMS, query -> {}, row -> row.getInt(1)));
    }

    private static final String LISTENING =
            "SELECT " + TriggerRows.COLUMNS + ", e.streams, e.numbers" + TriggerRows.FROM + """
            JOIN flowstone.trigger_events e ON e.tenant = t.tenant AND e.trigger_id = t.id
            WHERE t.kind = 'event' AND t.enabled AND\s""";

    private static final String TO_THE_ENGINE = LISTENING + "e.engine ORDER BY t.tenant, t.id";

    private static final String OUTSIDE = LISTENING + "NOT e.engine AND t.tenant = ? ORDER BY t.id";

    @Override
    public List<Listening> listening() throws JournalException {
        return listen(TO_THE_ENGINE, query -> {});
    }

    @Override
    public List<Listening> listening(TenantId tenant) throws JournalException {
        return listen(OUTSIDE, query -> query.setString(1, tenant.value()));
    }

    private List<Listening> listen(String sql, Database.Binding binding) throws JournalException {
        return engine.query(sql, binding, this::read).stream()
                .flatMap(Optional::stream)
                .toList();
    }

    /** A row that isn't as it must be concerns nobody else; the log tells of it once. */
    private Optional<Listening> read(ResultSet row) throws SQLException {
        String which = row.getString(1) + "/" + row.getString(2);
        try {
            Listening listening = new Listening(TriggerRows.trigger(row), since(row));
            unreadable.remove(which);
            return Optional.of(listening);
        } catch (RuntimeException e) {
            if (unreadable.add(which)) {
                LOG.log(Level.ERROR, "trigger " + which + " can't be read, and starts nothing", e);
            }
            return Optional.empty();
        }
    }

    private static Map<Integer, Long> since(ResultSet row) throws SQLException {
        Object[] streams = elements(row.getArray(TriggerRows.BEHIND + 1));
        Object[] numbers = elements(row.getArray(TriggerRows.BEHIND + 2));
        Map<Integer, Long> since = new HashMap<>();
        for (int i = 0; i < streams.length; i++) {
            since.put(((Number) streams[i]).intValue(), ((Number) numbers[i]).longValue());
        }
        return since;
    }

    private static Object[] elements(Array array) throws SQLException {
        return (Object[]) array.getArray();
    }

    private static final String PLACES =
            "SELECT stream, number, events FROM flowstone.trigger_cursors WHERE stream = ANY (?::integer[])";

    @Override
    public Map<Integer, FeedPlace> places(Collection<Integer> streams) throws JournalException {
        Map<Integer, FeedPlace> places = new HashMap<>();
        engine.query(
                        PLACES,
                        query -> query.setObject(1, BinaryArray.ints(List.copyOf(streams), stream -> stream)),
                        row -> Map.entry(row.getInt(1), new FeedPlace(row.getLong(2), row.getLong(3))))
                .forEach(place -> places.put(place.getKey(), place.getValue()));
        return places;
    }

    private static final String ADVANCE = """
            WITH fence AS (
                SELECT 1 AS held FROM flowstone.epochs
                WHERE shard = ? AND epoch = ? AND holder = ?
                FOR SHARE
            ), moved AS (
                INSERT INTO flowstone.trigger_cursors AS c (stream, number, events)
                SELECT ?, ?, ? FROM fence
                ON CONFLICT (stream) DO UPDATE SET number = EXCLUDED.number, events = EXCLUDED.events
                WHERE (c.number, c.events) < (EXCLUDED.number, EXCLUDED.events)
            )
            SELECT held FROM fence
            """;

    @Override
    public void advance(Lease lease, FeedPlace place) throws JournalException {
        List<Integer> held = engine.query(
                ADVANCE,
                query -> {
                    Fence.bind(query, 1, lease);
                    query.setInt(4, lease.shard().stream());
                    query.setLong(5, place.row());
                    query.setLong(6, place.events());
                },
                row -> row.getInt(1));
        if (held.isEmpty()) {
            throw Fence.stale(lease);
        }
    }
}
