package dev.flowstone.testkit.scenario.file;

import dev.flowstone.connectors.core.CoreConnector;
import dev.flowstone.dialect.dag.DagCompilation;
import dev.flowstone.dialect.dag.DagDialect;
import dev.flowstone.dialect.dag.action.ActionCatalog;
import dev.flowstone.dialect.fault.Fault;
import dev.flowstone.dialect.states.StatesCompilation;
import dev.flowstone.dialect.states.StatesDialect;
import dev.flowstone.engine.workflow.DefinitionCompiler;
import dev.flowstone.engine.workflow.DefinitionFault;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.ProgramCodec;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/** JSON DAGs and workflows as states, with the built-in actions and whatever is stubbed; for whoever has no server's configuration. */
public final class DialectCompilers implements Compilers {
    private final DagDialect dags = new DagDialect(new ScriptExpressions());
    private final StatesDialect states = new StatesDialect(new ScriptExpressions());

    @Override
    public DefinitionCompiler compiler(Set<String> actions, Map<String, String> settings) {
        Set<String> names = new TreeSet<>(actions);
        CoreConnector.registry().actions().keySet().forEach(name -> names.add(name.value()));
        DialectSettings limits = DialectSettings.of(settings);
        return source -> {
            Result result = StatesDialect.speaks(source)
                    ? of(states.compile(source, limits.states(), names))
                    : of(dags.compile(source, limits.dags(), ActionCatalog.of(names)));
            return result.program().isPresent()
                    ? compiled(source, result.program().get())
                    : new DefinitionCompiler.Faulty(result.faults().stream()
                            .filter(Fault::isError)
                            .map(DialectCompilers::fault)
                            .toList());
        };
    }

    /** What became of a source, whichever dialect it is in. */
    private record Result(Optional<Program> program, List<Fault> faults) {}

    private static Result of(DagCompilation compilation) {
        return switch (compilation) {
            case DagCompilation.Compiled(Program program, List<Fault> faults) ->
                new Result(Optional.of(program), faults);
            case DagCompilation.Refused(List<Fault> faults) -> new Result(Optional.empty(), faults);
        };
    }

    private static Result of(StatesCompilation compilation) {
        return switch (compilation) {
            case StatesCompilation.Compiled(Program program, List<Fault> faults) ->
                new Result(Optional.of(program), faults);
            case StatesCompilation.Refused(List<Fault> faults) -> new Result(Optional.empty(), faults);
        };
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
