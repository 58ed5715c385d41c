package dev.flowstone.postgres;

import static dev.flowstone.postgres.PostgresOpenException.Reason.LOGIN_REFUSED;
import static dev.flowstone.postgres.PostgresOpenException.Reason.MIGRATION_FAILED;
import static dev.flowstone.postgres.PostgresOpenException.Reason.UNREACHABLE;
import static dev.flowstone.postgres.PostgresOpenException.Reason.UNSAFE_ROLE;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.pool.HikariPool.PoolInitializationException;
import dev.flowstone.engine.Ports;
import dev.flowstone.engine.archive.Archives;
import dev.flowstone.engine.catalog.Catalog;
import dev.flowstone.engine.journal.Journal;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.ownership.PostBox;
import dev.flowstone.engine.read.BacklogReader;
import dev.flowstone.engine.read.DeadRowReader;
import dev.flowstone.engine.stuck.Suspects;
import dev.flowstone.engine.subscription.Subscriptions;
import dev.flowstone.engine.template.Templates;
import dev.flowstone.engine.template.WorkflowTemplates;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.engine.trigger.Triggers;
import dev.flowstone.engine.verify.EntrySource;
import dev.flowstone.postgres.PostgresConfig.Login;
import dev.flowstone.postgres.schema.MigrationException;
import dev.flowstone.postgres.schema.Migrations;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.List;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Pattern;

/**
 * The engine's ports on one database, from migration to pools. Open it once a process; close it after the engine has
 * stopped.
 */
public final class PostgresPorts implements AutoCloseable {
    /** What nobody's run waits for may take as long as the role's statements may. */
    private static final Duration UPKEEP = Duration.ofSeconds(60);

    /**
     * Whoever asks for what has a key waits no longer for a server that went without a word, and holds its connection no longer. A
     * statement may have waited for a lock, and the server ends it before that: see {@link Database#asTenant}.
     */
    private static final Duration API_ANSWER = Duration.ofSeconds(10);

    /** What PgBouncer says, whatever the server said to it; and what it says of its own. */
    private static final String BEHIND_PGBOUNCER = "08P01";

    private static final Pattern REFUSED_LOGIN =
            Pattern.compile("authentication failed|not permitted to log in|role .* does not exist");

    /** PgBouncer's server_login_retry is 15 seconds. */
    private static final Duration REFUSAL_KEPT = Duration.ofSeconds(20);

    private static final Duration AGAIN = Duration.ofMillis(100);

    private final Database upkeep;
    private final Ports ports;
    private final EntrySource entrySource;
    private final Partitions partitions;
    private final BacklogReader backlog;
    private final DeadRowReader deadRows;
    private final Archives archives;
    private final PostBox postBox;
    private final PostgresSuspects suspects;
    private final Journal beside;
    private final ServerRoom room;
    private final Subscriptions subscriptions;
    private final Triggers triggers;
    private final Templates templates;
    private final Catalog catalog;
    private final WorkflowTemplates workflowTemplates;
    private final HikariDataSource enginePool;
    private final HikariDataSource apiPool;
    private final HikariDataSource besidePool;

    private PostgresPorts(
            HikariDataSource enginePool,
            HikariDataSource apiPool,
            HikariDataSource besidePool,
            Database patient,
            PostgresConfig config,
            Clock clock)
            throws JournalException {
        this.enginePool = enginePool;
        this.apiPool = apiPool;
        this.besidePool = besidePool;
        Database engine = new Database(enginePool);
        this.upkeep = engine.answeringWithin(UPKEEP);
        Database patientApi = new Database(apiPool);
        Database api = patientApi.answeringWithin(API_ANSWER);
        PostgresLeases leases = PostgresLeases.open(engine, config.shards());
        this.partitions = new Partitions(upkeep);
        Database lookingAround = new Database(besidePool);
        this.suspects = new PostgresSuspects(lookingAround);
        this.beside = new PostgresJournal(lookingAround, leases::shard);
        this.room = new ServerRoom(lookingAround);
        this.backlog = new PostgresBacklog(upkeep);
        this.deadRows = new PostgresDeadRows(upkeep);
        this.archives = new PostgresArchives(upkeep, patient);
        this.subscriptions = new PostgresSubscriptions(engine, api);
        this.triggers = new PostgresTriggers(engine, api);
        this.templates = new PostgresTemplates(api);
        this.catalog = new PostgresCatalog(engine, api);
        this.workflowTemplates = new PostgresWorkflowTemplates(api);
        this.postBox = new PostgresPostBox(engine);
        this.entrySource = new PostgresEntrySource(upkeep);
        this.ports = new Ports(
                new PostgresJournal(engine, leases::shard),
                leases,
                new PostgresOutbox(engine, api),
                new PostgresInbox(api),
                new PostgresRunReader(api),
                new PostgresHumanTasks(api),
                new PostgresFeed(engine),
                new PostgresWorkflowStore(engine, api),
                clock,
                new PostgresSubjects(patientApi),
                new PostgresTransactions(engine, patientApi, config.transactions()),
                new PostgresSettings(engine),
                new PostgresPolicyStore(api),
                new PostgresProjections(engine),
                new PostgresDeadLetterStore(engine, api));
    }

    /**
     * Migrates the database if it must, checks that it is durable and that the roles have no rights that they shouldn't,
     * and makes the next months' partitions.
     */
    public static PostgresPorts open(PostgresConfig config) throws PostgresOpenException {
        Passwords.check(config);
        Passwords passwords = Passwords.of(config);
        prepare(config, passwords);
        Deque<HikariDataSource> pools = new ArrayDeque<>();
        try {
            pools.add(Pools.engine(config, passwords.engine()));
            check(pools.getLast());
            HikariDataSource engine = pools.getLast();
            pools.add(Pools.api(config, passwords.api()));
            check(pools.getLast());
            HikariDataSource api = pools.getLast();
            pools.add(Pools.beside(config, passwords.engine()));
            Database patient = new Database(Pools.single(config, config.roles().engine(), passwords.engine()));
            PostgresPorts opened = new PostgresPorts(engine, api, pools.getLast(), patient, config, Clock.SYSTEM);
            opened.partitions.ensure(Clock.SYSTEM.now());
            return opened;
        } catch (JournalException | PoolInitializationException e) {
            Pools.close(pools);
            throw new PostgresOpenException(UNREACHABLE, String.valueOf(e.getMessage()), e);
        } catch (PostgresOpenException | RuntimeException e) {
            Pools.close(pools);
            throw e;
        }
    }

    private static void prepare(PostgresConfig config, Passwords passwords) throws PostgresOpenException {
        Login admin = config.admin();
        try {
            Migrations migrations =
                    new Migrations(Pools.single(config, admin.user(), admin.password()), config.roles());
            migrations.run();
            if (!canLogIn(config, config.roles().engine(), passwords.engine())
                    || !canLogIn(config, config.roles().api(), passwords.api())) {
                migrations.setPasswords(passwords.engine(), passwords.api());
                awaitLogins(config, passwords);
            }
        } catch (MigrationException e) {
            throw new PostgresOpenException(MIGRATION_FAILED, String.valueOf(e.getMessage()), e);
        } catch (SQLException e) {
            throw refused(config, e);
        }
    }

    /** PgBouncer tells a server's refusal for a while after the server would let the role in. Who waited in vain finds out next. */
    private static void awaitLogins(PostgresConfig config, Passwords passwords) throws SQLException {
        long end = System.nanoTime() + REFUSAL_KEPT.toNanos();
        while (System.nanoTime() < end
                && (!canLogIn(config, config.roles().engine(), passwords.engine())
                        || !canLogIn(config, config.roles().api(), passwords.api()))) {
            LockSupport.parkNanos(AGAIN.toNanos());
        }
    }

    private static boolean canLogIn(PostgresConfig config, String role, String password) throws SQLException {
        try (Connection connection = Pools.single(config, role, password).getConnection()) {
            return connection.isValid(10);
        } catch (SQLException e) {
            String state = String.valueOf(e.getSQLState());
            if (state.startsWith("28")
                    || (state.equals(BEHIND_PGBOUNCER)
                            && REFUSED_LOGIN
                                    .matcher(String.valueOf(e.getMessage()))
                                    .find())) {
                return false;
            }
            throw e;
        }
    }

    private static PostgresOpenException refused(PostgresConfig config, SQLException e) {
        if (String.valueOf(e.getSQLState()).startsWith("28")) {
            return new PostgresOpenException(
                    LOGIN_REFUSED,
                    "the database at " + config.shownUrl() + " refuses the user "
                            + config.admin().user() + ": " + e.getMessage(),
                    e);
        }
        return new PostgresOpenException(
                UNREACHABLE, "the database at " + config.shownUrl() + " could not be prepared: " + e.getMessage(), e);
    }

    private static final String RIGHTS = """
            SELECT rolname FROM pg_roles
            WHERE rolname = current_user
              AND (rolsuper OR rolbypassrls OR pg_has_role(current_user, (
                  SELECT relowner FROM pg_class WHERE oid = 'flowstone.entries'::regclass), 'USAGE'))
            """;

    private static void check(HikariDataSource role) throws PostgresOpenException {
        try (Connection connection = role.getConnection();
                Statement statement = connection.createStatement()) {
            Durability.check(connection);
            try (ResultSet rows = statement.executeQuery(RIGHTS)) {
                if (rows.next()) {
                    throw new PostgresOpenException(
                            UNSAFE_ROLE,
                            "the role " + rows.getString(1)
                                    + " is the tables' owner, a superuser or BYPASSRLS: row-level"
                                    + " security would not hold it; take that from it");
                }
            }
        } catch (SQLException e) {
            throw new PostgresOpenException(
                    UNREACHABLE, "the role " + role.getPoolName() + " can't use the database: " + e.getMessage(), e);
        }
    }

    public Ports ports() {
        return ports;
    }

    /** For {@link dev.flowstone.engine.verify.ChainVerifier}: every tenant's entries, in bounded pages. */
    public EntrySource entrySource() {
        return entrySource;
    }

    /** What waits, for operators. */
    public BacklogReader backlog() {
        return backlog;
    }

    /** What has outlived its use and still takes room, for operators. */
    public DeadRowReader deadRows() {
        return deadRows;
    }

    /** Rows that may tell of runs that stand still, for operators. */
    public Suspects suspects() {
        return suspects;
    }

    /** The journal for who only looks: over a connection that nobody waits for who commits. */
    public Journal beside() {
        return beside;
    }

    /** What room the server has left, for operators. */
    public ServerRoom room() {
        return room;
    }

    /** For {@link dev.flowstone.engine.archive.Archiver}. */
    public Archives archives() {
        return archives;
    }

    /** For nodes that can't reach each other. */
    public PostBox postBox() {
        return postBox;
    }

    /** Who gets which events, and how far each has come. */
    public Subscriptions subscriptions() {
        return subscriptions;
    }

    /** What starts executions, and what came for it. */
    public Triggers triggers() {
        return triggers;
    }

    /** Workflow templates. */
    public WorkflowTemplates workflowTemplates() {
        return workflowTemplates;
    }

    /** Document templates. */
    public Templates templates() {
        return templates;
    }

    /** Connectors and actions, as nodes have them. */
    public Catalog catalog() {
        return catalog;
    }

    /** For one thread that removes what has outlived its use. */
    public Sweeper sweeper(Keeping keeping) {
        return new Sweeper(upkeep, ports.leases().shards(), keeping);
    }

    /** Call {@link Partitions#ensure} daily; {@link Partitions#until} is a health value. */
    public Partitions partitions() {
        return partitions;
    }

    @Override
    public void close() {
        Pools.close(List.of(enginePool, apiPool, besidePool));
    }
}
