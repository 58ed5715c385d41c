package dev.flowstone.server.definition;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.dialect.dag.DagDialect;
import dev.flowstone.dialect.dag.action.ActionCatalog;
import dev.flowstone.dialect.dag.option.DagOptions;
import dev.flowstone.dialect.fault.Fault;
import dev.flowstone.dialect.states.StatesDialect;
import dev.flowstone.dialect.states.StatesOptions;
import dev.flowstone.engine.Ports;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.engine.workflow.DefinitionCompiler.Compiled;
import dev.flowstone.engine.workflow.WorkflowRow;
import dev.flowstone.engine.workflow.WorkflowVersion;
import dev.flowstone.engine.workflow.Workflows;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.testkit.memory.InMemoryDatabase;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import org.junit.jupiter.api.Test;

/** What is said of a version that is published, or published again. */
final class PublishLintsTest {
    private static final byte[] SOURCE = """
            {"id": "w", "displayName": "W", "startNode": "a", "nodes": [
              {"id": "a", "actionType": "core.echo", "policies": {"retry": {"maxAttempts": 3}}}]}
            """.getBytes(UTF_8);

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

    private static Compiled compiled(byte[] source) {
        return assertInstanceOf(Compiled.class, DIALECTS.compile(source));
    }

    /** Of a version of this source that an earlier release may have made. */
    private List<Fault> warnings(byte[] source, byte[] program) throws Exception {
        PublishLints lints = new PublishLints(DIALECTS, workflows, new Programs(ports.workflows()), ports.policies());
        Compiled compiled = compiled(source);
        return lints.of(new WorkflowVersion(
                TENANT,
                compiled.workflow(),
                1,
                source,
                compiled.checksum(),
                Sha256.digest(program),
                program,
                Instant.EPOCH));
    }

    private List<String> warnings(byte[] source) throws Exception {
        return warnings(source, compiled(source).programBytes()).stream()
                .map(Fault::message)
                .toList();
    }

    @Test
    void aVersionOfAnEarlierCompilerIsToldApart() throws Exception {
        byte[] now = compiled(SOURCE).programBytes();
        byte[] then = new String(now, UTF_8)
                .replace("\"compiler\":2", "\"compiler\":1")
                .replace("\"attempts\":3", "\"attempts\":4")
                .getBytes(UTF_8);

        assertEquals(List.of(), warnings(SOURCE, now));
        Fault warning = warnings(SOURCE, then).getFirst();
        assertEquals("OLDER_COMPILER", warning.code().id());
        assertEquals("/nodes/0/policies/retry/maxAttempts", warning.pointer());
        assertEquals(2, warning.line());
    }

    /** What the engine would refuse when the run calls. */
    @Test
    void aCallOfAWorkflowThatStartsNothingIsWarnedOf() throws Exception {
        byte[] calls = """
                {"id": "calls", "displayName": "W", "startNode": "a", "nodes": [
                  {"id": "a", "nodeType": "subworkflow", "workflowId": "w"}]}
                """.getBytes(UTF_8);
        assertEquals(List.of("this tenant has no workflow 'w'"), reasons(calls));

        workflows.save(TENANT, SOURCE, OptionalLong.empty());
        assertEquals(List.of("the workflow 'w' is only a draft"), reasons(calls));

        workflows.publish(TENANT, W, true, OptionalLong.empty());
        assertEquals(List.of(), reasons(calls));

        WorkflowRow row = workflows.find(TENANT, W).orElseThrow();
        assertTrue(ports.workflows()
                .save(disabled(row), row.revision(), Optional.empty())
                .isPresent());
        assertEquals(List.of("the workflow 'w' is disabled"), reasons(calls));
    }

    private List<String> reasons(byte[] source) throws Exception {
        return warnings(source).stream()
                .map(message -> message.substring(message.indexOf(": ") + 2))
                .toList();
    }

    private static WorkflowRow disabled(WorkflowRow row) {
        return new WorkflowRow(
                row.tenant(),
                row.id(),
                row.displayName(),
                row.description(),
                row.status(),
                false,
                row.currentVersion(),
                row.latestVersion(),
                row.draft(),
                row.createdAt(),
                row.updatedAt(),
                row.revision());
    }
}
