package dev.flowstone.postgres;

import com.zaxxer.hikari.HikariDataSource;
import com.zaxxer.hikari.HikariPoolMXBean;
import com.zaxxer.hikari.SQLExceptionOverride;
import java.sql.SQLException;
import java.time.Duration;
import java.util.Set;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;

/**
 * Which connections their pool gives up, beside those that it knows to be broken. A session on a server that has become
 * read-only is whole and of no use; so are the others of the pool then, and those beside one that broke without a word from
 * the server: all are made anew, and find whichever server is the primary now.
 */
final class Eviction implements SQLExceptionOverride {
    private static final String READ_ONLY = "25006";

    /** Where the driver lost the connection: no answer in time, or reset. */
    private static final String LOST = "08006";

    /** The server ended the session: for being idle or long, for its database, for want of use. */
    private static final Set<String> ENDED = Set.of("25P03", "25P04", "57P04", "57P05");

    private final long pause;
    private final AtomicLong givenUp;
    private volatile @Nullable HikariDataSource pool;

    /** @param pause after all were given up, in which only the one is that shows the fault */
    Eviction(Duration pause) {
        this.pause = pause.toNanos();
        this.givenUp = new AtomicLong(System.nanoTime() - this.pause);
    }

    /**
     * After nobody got a connection in time: if some are idle all the same, they didn't answer when they were tried, and nor
     * will the others. If none is, all are in use, or the server gives no more.
     */
    static void ofDeadIdle(DataSource source) {
        HikariPoolMXBean connections = source instanceof HikariDataSource pooled ? pooled.getHikariPoolMXBean() : null;
        if (connections != null && connections.getIdleConnections() > 0) {
            connections.softEvictConnections();
        }
    }

    /** Of the pool that asks. */
    void watch(HikariDataSource source) {
        pool = source;
    }

    // By its whole name: the interface has an Override of its own.
    @java.lang.Override
    public SQLExceptionOverride.Override adjudicate(SQLException error) {
        String state = SqlErrors.state(error);
        if (state.equals(READ_ONLY) || state.equals(LOST)) {
            giveUpAll();
        }
        return state.equals(READ_ONLY) || ENDED.contains(state)
                ? SQLExceptionOverride.Override.MUST_EVICT
                : SQLExceptionOverride.Override.CONTINUE_EVICT;
    }

    /** Those in use when they are given back. */
    private void giveUpAll() {
        long now = System.nanoTime();
        long before = givenUp.get();
        if (now - before < pause || !givenUp.compareAndSet(before, now)) {
            return;
        }
        HikariDataSource source = pool;
        HikariPoolMXBean connections = source == null ? null : source.getHikariPoolMXBean();
        if (connections != null) {
            connections.softEvictConnections();
        }
    }
}
