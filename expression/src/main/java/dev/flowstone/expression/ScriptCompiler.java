package dev.flowstone.expression;

import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import org.mozilla.javascript.CompilerEnvirons;
import org.mozilla.javascript.Context;
import org.mozilla.javascript.EvaluatorException;
import org.mozilla.javascript.Parser;
import org.mozilla.javascript.ast.AstNode;
import org.mozilla.javascript.ast.AstRoot;
import org.mozilla.javascript.ast.ExpressionStatement;
import org.mozilla.javascript.ast.ParenthesizedExpression;

/**
 * Source to {@link Script}. Rhino's parser gives the tree; nothing else of Rhino is used, and nothing of it runs later.
 *
 * <p>The parser is recursive. Its depth is bounded by {@link SourceScan} and by the length of the source. Sources of few
 * tokens, which is nearly all, are compiled where the caller stands; every other one, and one for which the caller's
 * stack was too short after all, on a thread of its own whose stack suffices for the longest source: whether a source
 * compiles must not depend on how deep the caller's stack is, nor on whether the caller is a virtual thread.
 */
final class ScriptCompiler {
    private static final long STACK_BYTES = 1L << 20;

    /** Measured: up to 1 KiB for each character of the worst sources, on Rhino 1.9.1. */
    private static final long STACK_BYTES_PER_CHAR = 4L << 10;

    /** A tenth of a megabyte of stack at most, by the same measurement. */
    private static final int INLINE_TOKENS = 100;

    private final ExpressionBudget budget;

    ScriptCompiler(ExpressionBudget budget) {
        this.budget = budget;
    }

    Compilation compile(String source) {
        try {
            return script(source);
        } catch (Fault fault) {
            return new Compilation.Refused(fault.error(0));
        }
    }

    /** @throws Fault if the source is no expression that is allowed */
    Script script(String source) {
        if (source.length() > budget.sourceChars()) {
            throw new Fault(
                    Fault.Code.BUDGET_BYTES,
                    "The expression is longer than " + budget.sourceChars() + " characters.",
                    budget.sourceChars());
        }
        if (source.isBlank()) {
            throw Fault.syntax("The expression is empty.", 0);
        }
        if (!WellFormed.is(source)) {
            throw Fault.syntax("The expression holds half of a surrogate pair.", -1);
        }
        int tokens = SourceScan.check(source, budget.sourceDepth());
        if (tokens <= INLINE_TOKENS) {
            try {
                return translate(source);
            } catch (Fault fault) {
                if (fault.code() != Fault.Code.BUDGET_DEPTH) {
                    throw fault;
                }
            }
        }
        return translateApart(source);
    }

    private Script translateApart(String source) {
        FutureTask<Script> compilation = new FutureTask<>(() -> translate(source));
        Thread.ofPlatform()
                .daemon()
                .name("flowstone-expression-compiler")
                .inheritInheritableThreadLocals(false)
                .stackSize(STACK_BYTES + STACK_BYTES_PER_CHAR * source.length())
                .start(compilation);
        return await(compilation);
    }

    private static Script await(FutureTask<Script> compilation) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return compilation.get();
                } catch (InterruptedException later) {
                    interrupted = true;
                }
            }
        } catch (ExecutionException failed) {
            if (failed.getCause() instanceof Fault fault) {
                throw fault;
            }
            throw new IllegalStateException("the expression compiler failed", failed.getCause());
        } finally {
            if (interrupted) {
                Thread.currentThread().interrupt();
            }
        }
    }

    private Script translate(String source) {
        try {
            AstNode tree = parse(source);
            return new Translator(source, budget).script(tree);
        } catch (StackOverflowError tooDeep) {
            throw tooDeep();
        }
    }

    /** The tree of the expression, every position in it one too high: the source is parsed in parentheses. */
    private static AstNode parse(String source) {
        String wrapped = "(" + source + "\n)";
        AstRoot root;
        try {
            ParserFaults faults = new ParserFaults(source);
            root = new Parser(environment(faults), faults).parse(wrapped, "expression", 1);
        } catch (EvaluatorException tooDeep) {
            // The one thing that the parser reports past its error reporter: it has caught a stack overflow.
            throw tooDeep();
        } catch (Fault fault) {
            throw fault;
        } catch (RuntimeException unknownToItself) {
            throw Fault.syntax("The expression is not understood.", -1);
        }
        if (root.getFirstChild() instanceof ExpressionStatement statement
                && statement.getNext() == null
                && statement.getExpression() instanceof ParenthesizedExpression whole
                && whole.getAbsolutePosition() == 0
                && whole.getLength() == wrapped.length()) {
            return whole.getExpression();
        }
        throw Fault.syntax("This is not one single expression.", 0);
    }

    private static CompilerEnvirons environment(ParserFaults faults) {
        CompilerEnvirons environment = new CompilerEnvirons();
        environment.setLanguageVersion(Context.VERSION_ES6);
        environment.setXmlAvailable(false);
        environment.setReservedKeywordAsIdentifier(true);
        environment.setRecoverFromErrors(false);
        environment.setErrorReporter(faults);
        return environment;
    }

    private static Fault tooDeep() {
        return new Fault(Fault.Code.BUDGET_DEPTH, "The expression is nested too deeply.", -1);
    }
}
