package dev.flowstone.testkit.memory;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.journal.SubjectKey;
import dev.flowstone.engine.subject.Mutation;
import dev.flowstone.engine.subject.MutationAnswer;
import dev.flowstone.engine.subject.SqlHandle;
import dev.flowstone.engine.subject.SubjectChange;
import dev.flowstone.engine.subject.Subjects;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.read.EditWindow;
import java.util.List;
import java.util.Optional;

/** Edits, one at a time; a mutation finds no rows to change here, but may do what it likes elsewhere. */
final class InMemorySubjects implements Subjects {
    static final SqlHandle NO_SQL = new SqlHandle() {
        @Override
        public int update(String sql, Object... parameters) {
            return 0;
        }

        @Override
        public List<JsonObject> query(String sql, Object... parameters) {
            return List.of();
        }
    };

    private final InMemoryDatabase database;

    InMemorySubjects(InMemoryDatabase database) {
        this.database = database;
    }

    @Override
    public MutationAnswer mutate(SubjectChange change, Mutation mutation) throws Exception {
        synchronized (database) {
            SubjectKey key = new SubjectKey(change.tenant(), change.subject());
            SubjectTables.Row row = database.subjects.row(key, change.expectedVersion());
            EditWindow window = row.window();
            if (!window.allows(change.fields())) {
                return new MutationAnswer.Refused(
                        MutationAnswer.Code.WORKFLOW_EDIT_LOCKED, change.subject() + " may not be edited now");
            }
            if (row.version != change.expectedVersion()) {
                return new MutationAnswer.Refused(
                        MutationAnswer.Code.STALE_SUBJECT_VERSION,
                        change.subject() + " has version " + row.version + " by now");
            }
            long version = row.version + 1;
            mutation.apply(NO_SQL, version);
            row.version = version;
            database.subjects.keep(key, row);
            List<RunKey> told = row.live();
            for (RunKey run : told) {
                database.tell(run, version);
                change.tighten()
                        .ifPresent(
                                to -> row.windows.computeIfPresent(run, (_, before) -> tightened(before, to, version)));
            }
            return new MutationAnswer.Done(
                    version, window, told.stream().map(RunKey::run).toList());
        }
    }

    private static SubjectTables.Window tightened(SubjectTables.Window before, EditWindow to, long version) {
        EditWindow both = before.tightened().map(it -> it.to().strictest(to)).orElse(to);
        return new SubjectTables.Window(
                before.window(),
                Optional.of(new SubjectTables.Tightened(both, version)),
                before.exclusive(),
                before.live());
    }
}
