package dev.flowstone.server.definition;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertNotEquals;
import static org.junit.jupiter.api.Assertions.assertSame;

import dev.flowstone.dialect.dag.DagDialect;
import dev.flowstone.dialect.dag.action.ActionCatalog;
import dev.flowstone.dialect.dag.option.DagOptions;
import dev.flowstone.dialect.states.StatesDialect;
import dev.flowstone.dialect.states.StatesOptions;
import dev.flowstone.engine.Ports;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.engine.workflow.WorkflowRow;
import dev.flowstone.engine.workflow.WorkflowStore;
import dev.flowstone.engine.workflow.Workflows;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.testkit.memory.InMemoryDatabase;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Proxy;
import java.util.ArrayList;
import java.util.List;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** dataflow.md §9.1.2: a version's program is read, checked and decoded once, not at each run. */
final class ProgramsTest {
    private static final TenantId TENANT = new TenantId("t");
    private static final WorkflowId W = new WorkflowId("w");
    private static final ScriptExpressions EXPRESSIONS = new ScriptExpressions();
    private static final Dialects DIALECTS = new Dialects(
            new DagDialect(EXPRESSIONS),
            DagOptions.DEFAULT,
            new StatesDialect(EXPRESSIONS),
            StatesOptions.DEFAULT,
            ActionCatalog.of(List.of("core.echo")));

    private final Ports ports = new InMemoryDatabase(Clock.SYSTEM, 1).ports();
    private final Workflows workflows = new Workflows(ports.workflows(), DIALECTS, ports.clock());
    private final List<String> asked = new ArrayList<>();
    private final Programs programs = new Programs(counting(ports.workflows()));

    private WorkflowStore counting(WorkflowStore store) {
        return (WorkflowStore) Proxy.newProxyInstance(
                WorkflowStore.class.getClassLoader(), new Class<?>[] {WorkflowStore.class}, (_, method, arguments) -> {
                    asked.add(method.getName());
                    try {
                        return method.invoke(store, arguments);
                    } catch (InvocationTargetException e) {
                        throw e.getCause();
                    }
                });
    }

    private WorkflowRow published(String name) throws Exception {
        String source = """
                {"id": "w", "displayName": "NAME", "startNode": "a", "nodes": [{"id": "a", "actionType": "core.echo"}]}""".replace("NAME", name);
        workflows.save(TENANT, source.getBytes(UTF_8), OptionalLong.empty());
        workflows.publish(TENANT, W, true, OptionalLong.empty());
        return workflows.find(TENANT, W).orElseThrow();
    }

    @Test
    void aPlanIsReadOnceForAVersionAndKept() throws Exception {
        WorkflowRow row = published("one");

        Sha256 hash = programs.current(row);
        PublishedProgram program = programs.program(TENANT, hash);
        assertEquals(List.of("version", "program"), asked);

        assertEquals(hash, programs.current(row));
        assertSame(program, programs.program(TENANT, hash));
        assertEquals(List.of("version", "program"), asked);
    }

    @Test
    void anotherVersionHasItsOwn() throws Exception {
        Sha256 first = programs.current(published("one"));
        workflows.openDraft(TENANT, W, """
                {"id": "w", "displayName": "two", "startNode": "a", "nodes": [{"id": "a", "actionType": "core.echo"}]}""".getBytes(UTF_8), OptionalLong.empty());
        workflows.publish(TENANT, W, true, OptionalLong.empty());

        Sha256 second = programs.current(workflows.find(TENANT, W).orElseThrow());

        assertNotEquals(first, second);
        assertEquals(List.of("version", "version"), asked);
    }
}
