package dev.flowstone.testkit.scenario.file;

import dev.flowstone.dialect.dag.DagCompilation;
import dev.flowstone.dialect.dag.DagDialect;
import dev.flowstone.dialect.dag.action.ActionCatalog;
import dev.flowstone.dialect.dag.option.DagOptions;
import dev.flowstone.dialect.fault.Fault;
import dev.flowstone.engine.action.BuiltInActions;
import dev.flowstone.engine.workflow.DefinitionCompiler;
import dev.flowstone.engine.workflow.DefinitionFault;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.ProgramCodec;
import dev.flowstone.testkit.scenario.source.Durations;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** JSON DAGs, with the built-in actions and whatever is stubbed; for whoever has no server's configuration. */
public final class DagCompilers implements Compilers {
    private static final String ACTION_TIMEOUT = "dag.actionTimeout";
    private static final String WORKFLOW_TIMEOUT = "dag.workflowTimeout";
    private static final List<String> SETTINGS = List.of(ACTION_TIMEOUT, WORKFLOW_TIMEOUT);

    private final DagDialect dialect = new DagDialect(new ScriptExpressions());

    @Override
    public DefinitionCompiler compiler(Set<String> actions, Map<String, String> settings) {
        Set<String> names = new TreeSet<>(actions);
        BuiltInActions.registry().actions().keySet().forEach(name -> names.add(name.value()));
        DagOptions options = options(settings);
        return source -> switch (dialect.compile(source, options, ActionCatalog.of(names))) {
            case DagCompilation.Compiled compiled -> compiled(source, compiled.program());
            case DagCompilation.Refused refused ->
                new DefinitionCompiler.Faulty(refused.faults().stream()
                        .filter(Fault::isError)
                        .map(DagCompilers::fault)
                        .toList());
        };
    }

    private static DagOptions options(Map<String, String> settings) {
        DagOptions options = DagOptions.DEFAULT;
        for (Map.Entry<String, String> setting : settings.entrySet()) {
            Duration value = Durations.parse(setting.getValue())
                    .orElseThrow(() -> new IllegalArgumentException(setting.getKey() + " takes a duration"));
            options = switch (setting.getKey()) {
                case ACTION_TIMEOUT -> options.withDefaults(it -> it.withActionTimeout(value));
                case WORKFLOW_TIMEOUT -> options.withDefaults(it -> it.withWorkflowTimeout(value));
                default ->
                    throw new IllegalArgumentException(
                            "there is no setting '" + setting.getKey() + "' here; there is " + SETTINGS);
            };
        }
        return options;
    }

    private static DefinitionCompiler.Compiled compiled(byte[] source, Program program) {
        byte[] bytes = ProgramCodec.encode(program);
        return new DefinitionCompiler.Compiled(
                program.workflow(),
                program.workflow().value(),
                Optional.empty(),
                Sha256.digest(source),
                Sha256.digest(bytes),
                bytes);
    }

    private static DefinitionFault fault(Fault fault) {
        return new DefinitionFault(
                fault.code().id(), fault.pointer(), fault.line(), fault.column(), fault.message(), fault.remedy());
    }
}
