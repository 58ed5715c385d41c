package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.flowstone.engine.start.StartAnswer;
import dev.flowstone.engine.start.StartRequest;
import dev.flowstone.engine.subject.MutationAnswer;
import dev.flowstone.engine.subject.SubjectChange;
import dev.flowstone.engine.task.ActionDescription;
import dev.flowstone.engine.task.HandlerRegistry;
import dev.flowstone.engine.task.TransactionalHandler;
import dev.flowstone.kernel.command.SubjectBinding;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.read.EditWindow.Mode;
import dev.flowstone.testkit.scenario.History;
import dev.flowstone.testkit.scenario.Published;
import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.Statement;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.junit.jupiter.api.BeforeEach;

/** What stories of runs about documents share: engines on the real database, and edits beside them. */
abstract class SubjectStories extends PostgresTest {
    static final Executor AT_ONCE = Runnable::run;

    @BeforeEach
    void documents() throws Exception {
        admin(Documents.setUp(config(), "7", "8"));
    }

    SteppedEngine engine(String name, Executor executor) {
        return engine(name, executor, Documents.step("posted"));
    }

    SteppedEngine engine(String name, Executor executor, TransactionalHandler post) {
        HandlerRegistry handlers = HandlerRegistry.builder()
                .transactional(description("doc.post"), post)
                .transactional(description("doc.stamp"), Documents.step("stamped"))
                .build();
        return new SteppedEngine(opened().ports(), name, handlers, executor);
    }

    static ActionDescription description(String name) {
        return new ActionDescription(new HandlerName(name), "For a test.", List.of());
    }

    Published publish(Program program) {
        return Published.in(opened().ports().workflows(), Moves.ACME, program, java.time.Instant.now());
    }

    /** Posts the document, locked, then waits with it amendable. */
    Published posting(int attempts) {
        return publish(new DocumentPrograms()
                .task("post", "doc.post", attempts)
                .timer("wait", "PT1H")
                .edge("start", "post")
                .edge("post", "wait")
                .window("post", Mode.LOCKED)
                .window("wait", Mode.AMEND_ONLY)
                .build("posting"));
    }

    static StartRequest about(StartRequest start, String document, boolean exclusive) {
        return start.about(new SubjectBinding(Documents.subject(document), 1, exclusive));
    }

    static RunId start(SteppedEngine engine, StartRequest request) {
        CompletableFuture<StartAnswer> answer = engine.node.start(request);
        engine.until(answer::isDone);
        return assertInstanceOf(StartAnswer.Started.class, answer.join()).run();
    }

    History history(RunId run) {
        return History.of(opened().ports().runs(), Moves.ACME, run);
    }

    boolean has(RunId run, Class<? extends EventBody> kind) {
        return history(run).count(kind) > 0;
    }

    MutationAnswer edit(long version) throws Exception {
        return opened().ports()
                .subjects()
                .mutate(
                        new SubjectChange(Moves.ACME, Documents.subject("7"), version, Set.of(), Optional.empty()),
                        Documents.edit("7", "edited"));
    }

    void assertLocked(long version) throws Exception {
        assertEquals(
                MutationAnswer.Code.WORKFLOW_EDIT_LOCKED,
                assertInstanceOf(MutationAnswer.Refused.class, edit(version)).code());
    }

    String document() throws Exception {
        try (Connection admin = TestServer.admin(config());
                Statement statement = admin.createStatement();
                ResultSet row = statement.executeQuery(
                        "SELECT status || ' ' || version || ' ' || edits FROM public.documents WHERE id = '7'")) {
            row.next();
            return row.getString(1);
        }
    }

    SteppedEngine takeOver(String name) throws Exception {
        admin("UPDATE flowstone.heartbeats SET until = now() - interval '1 hour'");
        return engine(name, AT_ONCE);
    }
}
