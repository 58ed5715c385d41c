package dev.flowstone.server.definition;

import static java.util.Objects.requireNonNull;

import dev.flowstone.dialect.dag.DagCompilation;
import dev.flowstone.dialect.dag.DagDialect;
import dev.flowstone.dialect.dag.action.ActionCatalog;
import dev.flowstone.dialect.fault.Fault;
import dev.flowstone.dialect.dag.option.DagOptions;
import dev.flowstone.engine.workflow.DefinitionCompiler;
import dev.flowstone.engine.workflow.DefinitionFault;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonLimits;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.ProgramCodec;
import java.util.Optional;

/** JSON DAGs for the catalog. Thread-safe. */
public final class DagDefinitions implements DefinitionCompiler {
    private final DagDialect dialect;
    private final DagOptions options;
    private final ActionCatalog actions;

    public DagDefinitions(DagDialect dialect, DagOptions options, ActionCatalog actions) {
        this.dialect = requireNonNull(dialect);
        this.options = requireNonNull(options);
        this.actions = requireNonNull(actions);
    }

    /** With warnings, for whoever shows them. */
    public DagCompilation check(byte[] source) {
        return dialect.compile(source, options, actions);
    }

    @Override
    public Compilation compile(byte[] source) {
        return switch (check(source)) {
            case DagCompilation.Refused refused ->
                new Faulty(refused.faults().stream()
                        .filter(Fault::isError)
                        .map(DagDefinitions::fault)
                        .toList());
            case DagCompilation.Compiled compiled -> compiled(source, compiled.program());
        };
    }

    private static Compiled compiled(byte[] source, Program program) {
        byte[] bytes = ProgramCodec.encode(program);
        return new Compiled(
                program.workflow(),
                text(program, "displayName").orElse(program.workflow().value()),
                text(program, "description"),
                checksum(source),
                Sha256.digest(bytes),
                bytes);
    }

    private static Optional<String> text(Program program, String member) {
        return program.metadata()
                .find(member)
                .filter(JsonString.class::isInstance)
                .map(value -> ((JsonString) value).value());
    }

    private static Sha256 checksum(byte[] source) {
        try {
            return Sha256.digest(CanonicalJson.exact(JsonParser.parse(source, JsonLimits.STORED)));
        } catch (JsonSyntaxException e) {
            throw new IllegalStateException("what compiled is JSON", e);
        }
    }

    private static DefinitionFault fault(Fault fault) {
        return new DefinitionFault(
                fault.code().id(), fault.pointer(), fault.line(), fault.column(), fault.message(), fault.remedy());
    }
}
