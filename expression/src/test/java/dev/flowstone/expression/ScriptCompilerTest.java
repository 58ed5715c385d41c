package dev.flowstone.expression;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;

/** Whether a source compiles, and where its compilation runs. */
final class ScriptCompilerTest {
    private final ScriptCompiler compiler = new ScriptCompiler(ExpressionBudget.DEFAULT);

    @Test
    void countsTokensNotTextAndRefusesNesting() {
        assertEquals(0, SourceScan.check("  \n", 8));
        assertEquals(9, SourceScan.check("context.data.a > 'a (long) text' + 12", 8));
        assertEquals(5, SourceScan.check("!!!!x", 8));
    }

    /** At every depth of the caller's stack, up to its end, a source that compiles at all compiles. */
    @Test
    void theCallersStackDoesNotDecide() throws InterruptedException {
        String nested = "(".repeat(40) + "trigger.n" + ")".repeat(40);
        assertInstanceOf(Script.class, compiler.compile(nested));
        List<String> faults = new ArrayList<>();
        Thread small = new Thread(null, () -> deeper(nested, faults), "small-stack", 512 * 1_024);
        small.start();
        small.join();

        assertEquals(List.of(), faults);
    }

    /** Goes down until a call of its own fails, compiling on the way back up. */
    @SuppressWarnings("InfiniteRecursion")
    private int deeper(String source, List<String> faults) {
        int depth;
        try {
            depth = deeper(source, faults) + 1;
        } catch (StackOverflowError bottom) {
            return 0;
        }
        // Nearer to the end than this there is no room even to start a thread.
        if (depth % 200 == 0 && depth >= 400 && !(compiler.compile(source) instanceof Script)) {
            faults.add("refused " + depth + " frames above the end");
        }
        return depth;
    }
}
