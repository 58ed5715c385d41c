package dev.flowstone.dialect.dag;

import dev.flowstone.dialect.dag.DagCompilation.Compiled;
import dev.flowstone.dialect.dag.DagCompilation.Refused;
import dev.flowstone.dialect.dag.action.ActionCatalog;
import dev.flowstone.dialect.dag.action.ActionCheck;
import dev.flowstone.dialect.dag.action.DelayCheck;
import dev.flowstone.dialect.dag.call.CallCheck;
import dev.flowstone.dialect.dag.call.KnownWorkflows;
import dev.flowstone.dialect.dag.definition.Definition;
import dev.flowstone.dialect.dag.definition.DefinitionReader;
import dev.flowstone.dialect.dag.fault.FaultCode;
import dev.flowstone.dialect.dag.graph.DeadEdges;
import dev.flowstone.dialect.dag.graph.Graph;
import dev.flowstone.dialect.dag.graph.GraphCheck;
import dev.flowstone.dialect.dag.option.DagOptions;
import dev.flowstone.dialect.dag.script.DryRender;
import dev.flowstone.dialect.dag.script.ScriptCheck;
import dev.flowstone.dialect.dag.trigger.SchemaCheck;
import dev.flowstone.dialect.dag.trigger.TriggerSchema;
import dev.flowstone.dialect.fault.Fault;
import dev.flowstone.dialect.fault.Faults;
import dev.flowstone.dialect.fault.Nearest;
import dev.flowstone.dialect.fault.Quoted;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.kernel.json.JsonLimits;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.Program;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Optional;

/**
 * The door: a definition's bytes go in, a program or faults come out; never an exception, whatever the bytes. The same
 * definition, options and catalogue give the same program in every process; white space and the order of members don't
 * count. Thread-safe.
 */
public final class DagDialect {
    /** What {@link Program#dialect} says. */
    public static final String NAME = "dag";

    /**
     * Of this compiler. Raised when the same definition would give another program: 1 counted {@code retry.maxAttempts} as
     * retries, 2 counts attempts. Programs of older compilers run on as they are.
     */
    public static final int VERSION = 2;

    private final ScriptExpressions scripts;

    public DagDialect(ScriptExpressions scripts) {
        this.scripts = scripts;
    }

    /** The published JSON Schema, laid out for people. */
    public static String schemaText() {
        try (InputStream jar = DagDialect.class.getResourceAsStream("dag-1.json")) {
            if (jar == null) {
                throw new IllegalStateException("dag-1.json is not where this class is");
            }
            return new String(jar.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Reads, checks and compiles. All faults are found in one go. */
    public DagCompilation compile(byte[] source, DagOptions options, ActionCatalog actions) {
        return compile(source, options, actions, KnownWorkflows.NOTHING);
    }

    /** The same where something is known of the workflows that this one calls; the program doesn't depend on it. */
    public DagCompilation compile(byte[] source, DagOptions options, ActionCatalog actions, KnownWorkflows workflows) {
        if (source.length > options.limits().maxSourceBytes()) {
            return new Refused(List.of(tooLarge(source.length, options)));
        }
        JsonParser.Located document;
        try {
            JsonLimits limits = new JsonLimits(
                    options.limits().maxSourceBytes(),
                    options.limits().maxNesting(),
                    JsonLimits.DEFAULT.numberDigits());
            document = JsonParser.parseLocated(source, limits);
        } catch (JsonSyntaxException e) {
            return new Refused(List.of(syntax(e, options)));
        }
        Faults faults = new Faults(document, options.limits().maxFaults(), FaultCode.MORE_FAULTS);
        Optional<Definition> definition = check(document.value(), options, actions, faults);
        definition.ifPresent(it ->
                new CallCheck(workflows, faults).check(it, options.defaults().workflowTimeout()));
        if (definition.isEmpty() || faults.hasErrors()) {
            return new Refused(faults.sorted());
        }
        Program program = new ProgramCompiler(options.defaults()).compile(definition.get());
        new DueCheck(faults).check(program);
        if (faults.hasErrors()) {
            return new Refused(faults.sorted());
        }
        return new Compiled(program, faults.sorted());
    }

    /**
     * What is wrong with a payload that is to start a run of this program. Who checks many payloads keeps the {@link
     * TriggerSchema} instead.
     */
    public static List<Fault> checkTrigger(Program program, JsonValue trigger) {
        return TriggerSchema.of(program).check(trigger);
    }

    /** A definition to begin with: small, runs as it is, explains itself. */
    public static String starter() {
        try (InputStream text = DagDialect.class.getResourceAsStream("starter.json")) {
            if (text == null) {
                throw new IllegalStateException("starter.json is missing from the jar");
            }
            return new String(text.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private Optional<Definition> check(JsonValue root, DagOptions options, ActionCatalog actions, Faults faults) {
        Nearest nearest = new Nearest();
        Optional<Definition> read = new DefinitionReader(options.limits(), faults, nearest).read(root);
        if (read.isEmpty()) {
            return read;
        }
        Definition definition = read.get();
        definition.triggerSchema().ifPresent(schema -> new SchemaCheck(faults).check(schema, "/triggerSchema"));
        new ActionCheck(actions, new DelayCheck(options, faults, nearest), faults, nearest)
                .check(definition, options.defaults().workflowTimeout());
        new DeadEdges(faults).check(definition);
        Graph graph = new Graph(definition);
        ScriptCheck script = new ScriptCheck(
                graph, scripts, faults, nearest, options.limits().maxExpressions());
        script.check(definition);
        boolean acyclic =
                new GraphCheck(graph, faults, nearest).check(options.limits().maxEdgesPerWorkflow());
        if (acyclic) {
            script.checkOrder();
        }
        if (options.dryRender() && !faults.hasErrors()) {
            new DryRender(scripts, faults).check(definition);
        }
        return read;
    }

    private static Fault tooLarge(int bytes, DagOptions options) {
        return new Fault(
                FaultCode.SOURCE_TOO_LARGE,
                FaultCode.SOURCE_TOO_LARGE.severity(),
                "",
                1,
                1,
                "the definition has " + bytes + " bytes, more than "
                        + options.limits().maxSourceBytes(),
                "split the workflow, or raise the limit dag.maxSourceBytes");
    }

    private static Fault syntax(JsonSyntaxException e, DagOptions options) {
        return new Fault(
                FaultCode.JSON_SYNTAX,
                FaultCode.JSON_SYNTAX.severity(),
                "",
                e.line(),
                e.column(),
                Quoted.cut(String.valueOf(e.getMessage()), 300),
                "a definition is one JSON object, nested at most "
                        + options.limits().maxNesting()
                        + " deep (limit dag.maxNesting), each member name once in its object");
    }
}
