package dev.flowstone.dialect.states;

import static java.util.Objects.requireNonNull;

import dev.flowstone.dialect.action.NamedActions;
import dev.flowstone.dialect.fault.Fault;
import dev.flowstone.dialect.fault.Faults;
import dev.flowstone.dialect.fault.Nearest;
import dev.flowstone.dialect.fault.Quoted;
import dev.flowstone.dialect.states.StatesCompilation.Compiled;
import dev.flowstone.dialect.states.StatesCompilation.Refused;
import dev.flowstone.dialect.states.check.ExpressionCheck;
import dev.flowstone.dialect.states.check.NameCheck;
import dev.flowstone.dialect.states.check.ProgramVerdict;
import dev.flowstone.dialect.states.check.SectionCheck;
import dev.flowstone.dialect.states.check.StateCheck;
import dev.flowstone.dialect.states.compile.ProgramCompiler;
import dev.flowstone.dialect.states.fault.StatesFault;
import dev.flowstone.dialect.states.format.Format;
import dev.flowstone.dialect.states.format.SchemaWriter;
import dev.flowstone.dialect.states.format.ShapeCheck;
import dev.flowstone.dialect.states.lint.Beyond;
import dev.flowstone.dialect.states.lint.Linter;
import dev.flowstone.dialect.states.model.Source;
import dev.flowstone.dialect.states.model.SourceReader;
import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.kernel.json.JsonLimits;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonSyntaxException;
import dev.flowstone.kernel.program.Program;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.util.Collection;
import java.util.List;
import java.util.Optional;

/**
 * The door: a source's bytes go in, a program or faults come out; never an exception, whatever the bytes. The same source
 * gives the same program in every process; white space and the order of members don't count. Thread-safe.
 */
public final class StatesDialect {
    /** What {@link Program#dialect} says. */
    public static final String NAME = ProgramCompiler.DIALECT;

    /** What {@code $schema} says. */
    public static final String SCHEMA = Format.SCHEMA;

    /** What the names of this format's versions begin with: an unknown version is for this dialect to refuse. */
    private static final String NAMED = "https://flowstone.dev/schema/states";

    private final ScriptExpressions scripts;

    public StatesDialect(ScriptExpressions scripts) {
        this.scripts = requireNonNull(scripts);
    }

    /** Whether a source names this format, in whichever version; a text that isn't JSON belongs to what it mentions. */
    public static boolean speaks(byte[] source) {
        if (!new String(source, StandardCharsets.ISO_8859_1).contains(NAMED)) {
            return false;
        }
        try {
            return !(JsonParser.parse(source) instanceof JsonObject object)
                    || (object.get("$schema") instanceof JsonString schema
                            && schema.value().startsWith(NAMED));
        } catch (JsonSyntaxException e) {
            return true;
        }
    }

    /** The published JSON Schema. */
    public static JsonObject schema() {
        return SchemaWriter.schema();
    }

    /** The same as a text, laid out for people; the file that is published. */
    public static String schemaText() {
        try (InputStream jar = StatesDialect.class.getResourceAsStream("states-1.json")) {
            if (jar == null) {
                throw new IllegalStateException("states-1.json is not where this class is");
            }
            return new String(jar.readAllBytes(), StandardCharsets.UTF_8);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** The same, where nothing is known beyond the source. */
    public StatesCompilation compile(byte[] source, StatesOptions options, Collection<String> actions) {
        return compile(source, options, NamedActions.of(actions), Beyond.NOTHING);
    }

    /**
     * Reads, checks, compiles and lints. Faults of shape hide those that only a sound shape can show; all others are found
     * in one go.
     *
     * @param actions that there are
     * @param beyond what is known of workflows and policies that the source names; only lints look at it, the program never differs
     */
    public StatesCompilation compile(byte[] source, StatesOptions options, NamedActions actions, Beyond beyond) {
        if (source.length > options.maxSourceBytes()) {
            return refused(
                    StatesFault.SOURCE_TOO_LARGE,
                    1,
                    1,
                    "the source has " + source.length + " bytes, more than " + options.maxSourceBytes(),
                    "split the workflow");
        }
        JsonParser.Located document;
        try {
            JsonLimits limits =
                    new JsonLimits(options.maxSourceBytes(), options.maxNesting(), JsonLimits.DEFAULT.numberDigits());
            document = JsonParser.parseLocated(source, limits);
        } catch (JsonSyntaxException e) {
            return refused(
                    StatesFault.JSON_SYNTAX,
                    e.line(),
                    e.column(),
                    Quoted.cut(String.valueOf(e.getMessage()), 300),
                    "a source is one JSON object, nested at most " + options.maxNesting()
                            + " deep, each member name once in its object");
        }
        Faults faults = new Faults(document, options.maxFaults(), StatesFault.MORE_FAULTS);
        Nearest nearest = new Nearest();
        Optional<JsonObject> json = new ShapeCheck(faults, nearest).check(document.value());
        if (json.isEmpty() || faults.hasErrors()) {
            return new Refused(faults.sorted());
        }
        return compile(json.get(), options, actions, beyond, faults, nearest);
    }

    private StatesCompilation compile(
            JsonObject json,
            StatesOptions options,
            NamedActions actions,
            Beyond beyond,
            Faults faults,
            Nearest nearest) {
        Source source = new SourceReader(faults).read(json);
        if (source.states().size() > options.maxStates()) {
            faults.add(
                    StatesFault.TOO_MANY,
                    "/states",
                    "the workflow has " + source.states().size() + " states, more than " + options.maxStates(),
                    "split it into several workflows");
            return new Refused(faults.sorted());
        }
        new SectionCheck(source, faults, nearest, actions).run();
        new NameCheck(source, faults, nearest).run();
        new StateCheck(source, faults, nearest, actions).run();
        new ExpressionCheck(source, scripts, faults, nearest, options.maxExpressions()).run();
        if (faults.hasErrors()) {
            return new Refused(faults.sorted());
        }
        Program program = ProgramCompiler.compile(source);
        new ProgramVerdict(faults).check(program);
        if (faults.hasErrors()) {
            return new Refused(faults.sorted());
        }
        new Linter(source, program, beyond, faults, options.maxMarkings()).run();
        return new Compiled(program, faults.sorted());
    }

    private static Refused refused(StatesFault code, int line, int column, String message, String remedy) {
        return new Refused(List.of(new Fault(code, code.severity(), "", line, column, message, remedy)));
    }
}
