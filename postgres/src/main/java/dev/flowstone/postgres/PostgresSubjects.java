package dev.flowstone.postgres;

import dev.flowstone.engine.journal.SubjectKey;
import dev.flowstone.engine.start.SubjectSlot;
import dev.flowstone.engine.subject.Mutation;
import dev.flowstone.engine.subject.MutationAnswer;
import dev.flowstone.engine.subject.SubjectChange;
import dev.flowstone.engine.subject.Subjects;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.read.EditWindow;
import java.sql.Connection;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/** Edits as the API's role, in their tenant's transaction. A commit may wait for one: so they are short. */
final class PostgresSubjects implements Subjects {
    private static final Database.Limits LIMITS = new Database.Limits(Duration.ofSeconds(2), Duration.ofSeconds(5));

    private final Database api;

    PostgresSubjects(Database api) {
        this.api = api;
    }

    @Override
    public MutationAnswer mutate(SubjectChange change, Mutation mutation) throws Exception {
        return api.shared(change.tenant(), LIMITS, (connection, sql) -> {
            MutationAnswer answer = mutate(connection, sql, change, mutation);
            return answer instanceof MutationAnswer.Done ? Database.Ended.done(answer) : Database.Ended.undone(answer);
        });
    }

    private static MutationAnswer mutate(Connection connection, JdbcSql sql, SubjectChange change, Mutation mutation)
            throws Exception {
        mutation.lock(sql);
        SubjectKey key = new SubjectKey(change.tenant(), change.subject());
        SubjectRows rows = SubjectRows.lock(connection, key, SubjectSlot.of(key).number(), change.expectedVersion());
        EditWindow window = rows.window();
        if (!window.allows(change.fields())) {
            return new MutationAnswer.Refused(MutationAnswer.Code.WORKFLOW_EDIT_LOCKED, refusal(change, window));
        }
        if (rows.version() != change.expectedVersion()) {
            return new MutationAnswer.Refused(
                    MutationAnswer.Code.STALE_SUBJECT_VERSION,
                    change.subject() + " has version " + rows.version() + " by now, not " + change.expectedVersion());
        }
        mutation.apply(sql, rows.version() + 1);
        sql.checkTenant(change.tenant());
        List<RunId> told = rows.raise(Optional.empty());
        if (change.tighten().isPresent()) {
            rows.tighten(change.tighten().get());
        }
        return new MutationAnswer.Done(rows.version() + 1, window, told);
    }

    private static String refusal(SubjectChange change, EditWindow window) {
        return window.fields()
                .map(fields -> "of " + change.subject() + " only these may be edited now: " + String.join(", ", fields))
                .orElse(change.subject() + " may not be edited now");
    }
}
