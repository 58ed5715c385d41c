package dev.flowstone.postgres;

import dev.flowstone.engine.subject.Mutation;
import dev.flowstone.engine.subject.SqlHandle;
import dev.flowstone.engine.task.TaskResult;
import dev.flowstone.engine.task.TransactionalHandler;
import dev.flowstone.kernel.id.Subject;
import dev.flowstone.kernel.json.JsonObject;
import java.util.List;

/** A table of documents, as a feature would have one, and what is done to it. */
final class Documents {
    static final String TABLE = """
            CREATE TABLE public.documents (
                tenant text NOT NULL, id text NOT NULL, version bigint NOT NULL, status text NOT NULL, edits integer NOT NULL,
                PRIMARY KEY (tenant, id))
            """;

    private Documents() {}

    static Subject subject(String id) {
        return new Subject("document", id);
    }

    static String[] setUp(PostgresConfig config, String... ids) {
        String[] statements = new String[2 + ids.length];
        statements[0] = TABLE;
        statements[1] =
                "GRANT SELECT, UPDATE ON public.documents TO " + config.roles().api();
        for (int i = 0; i < ids.length; i++) {
            statements[2 + i] = "INSERT INTO public.documents VALUES ('acme', '" + ids[i] + "', 1, 'draft', 0)";
        }
        return statements;
    }

    static int change(SqlHandle sql, String id, String status, long version) {
        return sql.update(
                "UPDATE public.documents SET status = ?, version = ?, edits = edits + 1 WHERE tenant = 'acme' AND id = ?",
                status,
                version,
                id);
    }

    /** An edit from outside. */
    static Mutation edit(String id, String status) {
        return new Mutation() {
            @Override
            public void lock(SqlHandle sql) {
                Documents.lock(sql, id);
            }

            @Override
            public void apply(SqlHandle sql, long newVersion) {
                change(sql, id, status, newVersion);
            }
        };
    }

    static List<JsonObject> lock(SqlHandle sql, String id) {
        return sql.query("SELECT status FROM public.documents WHERE tenant = 'acme' AND id = ? FOR UPDATE", id);
    }

    /** A step of a run: gives its document a status. */
    static TransactionalHandler step(String status) {
        return (call, transaction) -> {
            int rows = change(transaction.sql(), transaction.subject().id(), status, transaction.newVersion());
            return TaskResult.ok(JsonObject.builder().put("rows", rows).build());
        };
    }
}
