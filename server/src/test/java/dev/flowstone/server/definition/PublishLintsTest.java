package dev.flowstone.server.definition;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import dev.flowstone.dialect.dag.DagDialect;
import dev.flowstone.dialect.dag.action.ActionCatalog;
import dev.flowstone.dialect.dag.option.DagOptions;
import dev.flowstone.dialect.states.StatesDialect;
import dev.flowstone.dialect.states.StatesOptions;
import dev.flowstone.engine.Ports;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.engine.workflow.DefinitionCompiler.Compiled;
import dev.flowstone.engine.workflow.WorkflowVersion;
import dev.flowstone.engine.workflow.Workflows;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.testkit.memory.InMemoryDatabase;
import java.time.Instant;
import java.util.List;
import org.junit.jupiter.api.Test;

/** What is said of a version that is published, or published again. */
final class PublishLintsTest {
    private static final byte[] SOURCE = """
            {"id": "w", "displayName": "W", "startNode": "a", "nodes": [
              {"id": "a", "actionType": "core.echo", "policies": {"retry": {"maxAttempts": 3}}}]}
            """.getBytes(UTF_8);

    private static final ScriptExpressions EXPRESSIONS = new ScriptExpressions();
    private static final Dialects DIALECTS = new Dialects(
            new DagDialect(EXPRESSIONS),
            DagOptions.DEFAULT,
            new StatesDialect(EXPRESSIONS),
            StatesOptions.DEFAULT,
            ActionCatalog.of(List.of("core.echo")));

    private static List<String> warnings(byte[] program) throws Exception {
        Ports ports = new InMemoryDatabase(Clock.SYSTEM, 1).ports();
        PublishLints lints = new PublishLints(
                DIALECTS,
                new Workflows(ports.workflows(), DIALECTS, ports.clock()),
                new Programs(ports.workflows()),
                ports.policies());
        Compiled compiled = assertInstanceOf(Compiled.class, DIALECTS.compile(SOURCE));
        WorkflowVersion version = new WorkflowVersion(
                new TenantId("t"),
                compiled.workflow(),
                1,
                SOURCE,
                compiled.checksum(),
                Sha256.digest(program),
                program,
                Instant.EPOCH);
        return lints.of(version).stream().map(fault -> fault.code().id()).toList();
    }

    @Test
    void aVersionOfAnEarlierCompilerIsToldApart() throws Exception {
        byte[] now = assertInstanceOf(Compiled.class, DIALECTS.compile(SOURCE)).programBytes();
        byte[] then = new String(now, UTF_8)
                .replace("\"compiler\":2", "\"compiler\":1")
                .replace("\"attempts\":3", "\"attempts\":4")
                .getBytes(UTF_8);

        assertEquals(List.of(), warnings(now));
        assertEquals(List.of("OLDER_COMPILER"), warnings(then));
    }
}
