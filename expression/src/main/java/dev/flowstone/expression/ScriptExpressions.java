package dev.flowstone.expression;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.expression.Evaluation;
import dev.flowstone.kernel.expression.ExpressionError;
import dev.flowstone.kernel.expression.Expressions;
import dev.flowstone.kernel.expression.MissingFactException;
import dev.flowstone.kernel.expression.OmittedException;
import dev.flowstone.kernel.expression.Rendering;
import dev.flowstone.kernel.expression.Roots;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/**
 * Conditions and templates in the JavaScript subset of ADR 0003. Sources are compiled once and kept within bounds; the
 * answers never depend on what is kept. Thread-safe; needs little of the caller's stack.
 */
public final class ScriptExpressions implements Expressions {
    private static final int CACHED_SOURCES = 16_384;
    private static final long CACHED_BYTES = 64L << 20;

    private final ExpressionBudget budget;
    private final ScriptCompiler compiler;
    private final CompileCache conditions = new CompileCache(CACHED_SOURCES, CACHED_BYTES);
    private final CompileCache texts = new CompileCache(CACHED_SOURCES, CACHED_BYTES);

    public ScriptExpressions() {
        this(ExpressionBudget.DEFAULT);
    }

    public ScriptExpressions(ExpressionBudget budget) {
        this.budget = requireNonNull(budget);
        this.compiler = new ScriptCompiler(budget);
    }

    @Override
    public Evaluation condition(String source, Roots roots) {
        long compiling = (long) ExpressionBudget.STEPS_PER_SOURCE + Math.min(source.length(), budget.sourceChars());
        return switch (compiledCondition(source)) {
            case Script script -> evaluate(script, roots, compiling);
            case Compilation.Refused refused -> failed(refused.error(), JsonObject.EMPTY, compiling, 0);
            case TextTemplate never -> throw new IllegalStateException("a condition is no template");
        };
    }

    private Evaluation evaluate(Script script, Roots roots, long compiling) {
        Reads reads = new Reads();
        Meter meter = Meter.forExpression(budget);
        try {
            boolean result = Coercion.truthy(script.evaluate(roots, meter, reads));
            return new Evaluation(
                    result, Optional.empty(), reads.toJson(), compiling + meter.stepsUsed(), meter.bytesUsed());
        } catch (Fault fault) {
            return failed(fault.error(0), reads.toJson(), compiling + meter.stepsUsed(), meter.bytesUsed());
        } catch (OmittedException omitted) {
            ExpressionError error = Fault.omitted(omitted, -1).error(0);
            return failed(error, reads.toJson(), compiling + meter.stepsUsed(), meter.bytesUsed());
        } catch (MissingFactException missing) {
            throw missing.after(compiling + meter.stepsUsed(), meter.bytesUsed());
        }
    }

    private static Evaluation failed(ExpressionError error, JsonObject read, long steps, long bytes) {
        return new Evaluation(false, Optional.of(error), read, steps, bytes);
    }

    @Override
    public Rendering render(JsonValue template, Roots roots) {
        TemplateRenderer renderer = new TemplateRenderer(this::template, roots, budget);
        try {
            JsonValue rendered = renderer.render(template);
            return new Rendering.Rendered(rendered, renderer.steps(), renderer.bytes());
        } catch (Fault fault) {
            return new Rendering.Failed(renderer.pointer(), fault.error(0), renderer.steps(), renderer.bytes());
        } catch (OmittedException omitted) {
            ExpressionError error = Fault.omitted(omitted, -1).error(0);
            return new Rendering.Failed(renderer.pointer(), error, renderer.steps(), renderer.bytes());
        }
    }

    @Override
    public Optional<ExpressionError> checkCondition(String source) {
        return compiledCondition(source) instanceof Compilation.Refused refused
                ? Optional.of(refused.error())
                : Optional.empty();
    }

    /** Every string of this template that does not compile, in the order of the members' names; at most a hundred. */
    public List<TemplateFault> checkTemplate(JsonValue template) {
        return inspection(template).faults();
    }

    /** What a condition names, for checks at publishing. */
    public References conditionReferences(String source) {
        return compiledCondition(source) instanceof Script script ? script.references() : References.NONE;
    }

    /** What the expressions of a template name, for checks at publishing. */
    public References templateReferences(JsonValue template) {
        return inspection(template).references();
    }

    /** The ids of the nodes whose output a condition reads. */
    public Set<String> nodeReferences(String source) {
        return conditionReferences(source).nodes();
    }

    /**
     * Where the two braces are that close an expression of a text, which begins at {@code from}; -1 if nothing closes it, or what stands
     * there can't be one.
     */
    public int closingBraces(String text, int from) {
        try {
            return SourceScan.closingBraces(text, from, budget.sourceDepth());
        } catch (Fault fault) {
            return -1;
        }
    }

    private TemplateInspection inspection(JsonValue template) {
        return new TemplateInspection(this::compiledText, budget).inspect(template);
    }

    private Compilation compiledCondition(String source) {
        return source.length() > budget.sourceChars()
                ? compiler.compile(source)
                : conditions.get(source, compiler::compile);
    }

    private Compilation compiledText(String source) {
        return texts.get(source, text -> TextTemplate.compile(text, compiler, budget));
    }

    private TextTemplate template(String source) {
        return switch (compiledText(source)) {
            case TextTemplate template -> template;
            case Compilation.Refused refused -> throw new Fault(refused.error());
            case Script never -> throw new IllegalStateException("a template is no condition");
        };
    }
}
