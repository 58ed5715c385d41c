package dev.flowstone.engine.subject;

import dev.flowstone.kernel.json.JsonObject;
import java.util.List;

/**
 * Statements inside a transaction that somebody else begins and ends, on the rows of one tenant. Parameters are text,
 * whole numbers, booleans and UUIDs; names of columns become members, whole numbers, booleans and null keep their type,
 * everything else is text. One statement at a time, of those that read or write rows (SELECT, INSERT, UPDATE, DELETE, MERGE,
 * WITH, VALUES, TABLE), without semicolon and without a comment before it, and changing no setting of the session.
 * That guards against mistakes: who writes handlers is trusted.
 */
public interface SqlHandle {
    /**
     * Changes rows and returns none of them; how many.
     *
     * @throws MutationException if it isn't such a statement, the time for all of them is over, or the database refuses it; nothing of the transaction is then
     *     committed, whatever is done about it
     */
    int update(String sql, Object... parameters);

    /**
     * Reads at most 1,000 rows.
     *
     * @throws MutationException as {@link #update}
     */
    List<JsonObject> query(String sql, Object... parameters);
}
