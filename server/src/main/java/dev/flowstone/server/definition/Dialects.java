package dev.flowstone.server.definition;

import static java.util.Objects.requireNonNull;

import dev.flowstone.dialect.dag.DagCompilation;
import dev.flowstone.dialect.dag.DagDialect;
import dev.flowstone.dialect.dag.action.ActionCatalog;
import dev.flowstone.dialect.dag.call.KnownWorkflows;
import dev.flowstone.dialect.dag.option.DagOptions;
import dev.flowstone.dialect.fault.Fault;
import dev.flowstone.dialect.states.DeclaredTrigger;
import dev.flowstone.dialect.states.StatesCompilation;
import dev.flowstone.dialect.states.StatesDialect;
import dev.flowstone.dialect.states.StatesOptions;
import dev.flowstone.dialect.states.lint.Beyond;
import dev.flowstone.engine.workflow.DefinitionCompiler;
import dev.flowstone.engine.workflow.DefinitionFault;
import dev.flowstone.engine.workflow.OwnTrigger;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonLimits;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonPointer;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.ProgramCodec;
import dev.flowstone.triggers.event.EventRules;
import dev.flowstone.triggers.event.EventSignal;
import dev.flowstone.triggers.event.EventSource;
import dev.flowstone.triggers.event.NamePattern;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Sources for the catalog, each read by the dialect that its {@code $schema} names; without one it is a DAG. Thread-safe. */
public final class Dialects implements DefinitionCompiler {
    /** The faults of either dialect where an action is named that nobody offers. */
    private static final Set<String> MISSING_ACTION =
            Set.of("UNKNOWN_ACTION", "ACTION_DISABLED", "STATES-UNKNOWN-ACTION", "STATES-ACTION-DISABLED");

    private final DagDialect dag;
    private final DagOptions options;
    private final StatesDialect states;
    private final StatesOptions limits;
    private final ActionCatalog actions;

    public Dialects(
            DagDialect dag, DagOptions options, StatesDialect states, StatesOptions limits, ActionCatalog actions) {
        this.dag = requireNonNull(dag);
        this.options = requireNonNull(options);
        this.states = requireNonNull(states);
        this.limits = requireNonNull(limits);
        this.actions = requireNonNull(actions);
    }

    /** With warnings, for whoever shows them. */
    public Checked check(byte[] source) {
        return check(source, Beyond.NOTHING, KnownWorkflows.NOTHING);
    }

    /** The same where something is known of other workflows and of policies, so that warnings look beyond the source. */
    public Checked check(byte[] source, Beyond beyond, KnownWorkflows workflows) {
        if (StatesDialect.speaks(source)) {
            StatesCompilation compilation = states.compile(source, limits, actions, beyond);
            return switch (compilation) {
                case StatesCompilation.Compiled(Program program, List<Fault> faults) ->
                    new Checked(Optional.of(program), faults);
                case StatesCompilation.Refused(List<Fault> faults) -> new Checked(Optional.empty(), faults);
            };
        }
        return switch (dag.compile(source, options, actions, workflows)) {
            case DagCompilation.Compiled(Program program, List<Fault> faults) ->
                new Checked(Optional.of(program), faults);
            case DagCompilation.Refused(List<Fault> faults) -> new Checked(Optional.empty(), faults);
        };
    }

    @Override
    public Compilation compile(byte[] source) {
        Checked checked = check(source);
        if (checked.program().isPresent()) {
            return compiled(source, checked.program().get());
        }
        List<Fault> errors = checked.faults().stream().filter(Fault::isError).toList();
        boolean lacks = errors.stream().anyMatch(Dialects::lacksAction);
        Optional<JsonValue> root = lacks ? parsed(source) : Optional.empty();
        return new Faulty(errors.stream().map(fault -> fault(fault, root)).toList());
    }

    private static Compiled compiled(byte[] source, Program program) {
        byte[] bytes = ProgramCodec.encode(program);
        return new Compiled(
                program.workflow(),
                text(program, "displayName").orElse(program.workflow().value()),
                text(program, "description"),
                checksum(source),
                Sha256.digest(bytes),
                bytes,
                program.dialect().equals(StatesDialect.NAME) ? declared(source) : List.of());
    }

    private static List<OwnTrigger> declared(byte[] source) {
        return parsed(source).filter(JsonObject.class::isInstance).map(JsonObject.class::cast).stream()
                .flatMap(it -> DeclaredTrigger.of(it).stream())
                .map(Dialects::own)
                .toList();
    }

    private static OwnTrigger own(DeclaredTrigger declared) {
        String type = declared.internal() ? EventRules.engineType(declared.event()) : declared.event();
        EventRules rules = new EventRules(
                declared.internal() ? EventSource.ENGINE : EventSource.EXTERNAL,
                List.of(new NamePattern(type)),
                declared.workflow().filter(_ -> declared.internal()).map(NamePattern::new).stream()
                        .toList(),
                List.of(),
                List.of(),
                declared.signal().map(it -> new EventSignal(it.type(), it.key())));
        JsonObject.Builder config = JsonObject.builder().put(EventRules.DECLARED, declared.id());
        rules.toJson().members().forEach(config::put);
        return new OwnTrigger(declared.id(), config.build(), declared.guard());
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

    private static boolean lacksAction(Fault fault) {
        return MISSING_ACTION.contains(fault.code().id());
    }

    private static DefinitionFault fault(Fault fault, Optional<JsonValue> root) {
        return new DefinitionFault(
                fault.code().id(),
                fault.pointer(),
                fault.line(),
                fault.column(),
                fault.message(),
                fault.remedy(),
                root.filter(_ -> lacksAction(fault))
                        .flatMap(it -> JsonPointer.parse(fault.pointer()).find(it))
                        .filter(JsonString.class::isInstance)
                        .map(value -> ((JsonString) value).value()));
    }

    private static Optional<JsonValue> parsed(byte[] source) {
        try {
            return Optional.of(JsonParser.parse(source, JsonLimits.STORED));
        } catch (JsonSyntaxException e) {
            return Optional.empty();
        }
    }
}
