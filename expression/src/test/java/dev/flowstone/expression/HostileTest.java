package dev.flowstone.expression;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.expression.HostileSources.Hostile;
import dev.flowstone.kernel.expression.Evaluation;
import dev.flowstone.kernel.expression.ExpressionError;
import dev.flowstone.kernel.expression.Rendering;
import dev.flowstone.kernel.json.JsonString;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ConcurrentLinkedQueue;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Whatever an author writes ends within its budget, as a value or an error, and harms nobody. */
final class HostileTest {
    /** Generous, because the machine is shared; an escape from the budget takes minutes or for ever. */
    private static final long LONGEST_MILLIS = 2_000;

    private static final int SMALL_STACK_BYTES = 256 * 1_024;

    static List<Hostile> sources() {
        return HostileSources.all().toList();
    }

    @ParameterizedTest
    @MethodSource("sources")
    void endsWithinItsBudget(Hostile hostile) {
        long begin = System.nanoTime();
        Evaluation evaluation = Sample.EXPRESSIONS.condition(hostile.source(), Sample.ROOTS);
        long millis = (System.nanoTime() - begin) / 1_000_000;

        String outcome = evaluation.error().map(ExpressionError::code).orElse(String.valueOf(evaluation.result()));
        assertTrue(
                List.of(hostile.codes().split(" ", -1)).contains(outcome),
                () -> outcome + " instead of " + hostile.codes() + ": " + evaluation);
        assertTrue(millis < LONGEST_MILLIS, () -> millis + " ms");
        evaluation.error().ifPresent(error -> {
            assertFalse(evaluation.result());
            assertTrue(error.message().length() <= 500);
            assertTrue(WellFormed.is(error.message()));
            assertTrue(error.position() >= -1
                    && error.position() <= hostile.source().length());
        });
        assertEquals(evaluation, Sample.EXPRESSIONS.condition(hostile.source(), Sample.ROOTS));
    }

    /** As conditions and inside templates, on threads whose stacks are small: the answers are the same. */
    @Test
    void smallStacksAnswerAlike() throws InterruptedException {
        List<Hostile> sources = sources();
        List<String> expected = sources.stream().map(HostileTest::outcome).toList();
        ConcurrentLinkedQueue<String> faults = new ConcurrentLinkedQueue<>();
        List<Thread> threads = new ArrayList<>();
        for (int i = 0; i < 4; i++) {
            ScriptExpressions fresh = new ScriptExpressions();
            Runnable work = () -> {
                for (int at = 0; at < sources.size(); at++) {
                    String source = sources.get(at).source();
                    String here = outcome(fresh, source);
                    if (!here.equals(expected.get(at))) {
                        faults.add(source.substring(0, Math.min(80, source.length())) + ": " + here);
                    }
                }
            };
            Thread thread = i == 0
                    ? Thread.ofVirtual().unstarted(work)
                    : new Thread(null, work, "small-stack-" + i, SMALL_STACK_BYTES);
            thread.setUncaughtExceptionHandler((dying, why) -> faults.add(String.valueOf(why)));
            threads.add(thread);
            thread.start();
        }
        for (Thread thread : threads) {
            thread.join();
        }
        assertEquals(List.of(), List.copyOf(faults));
    }

    private static String outcome(Hostile hostile) {
        return outcome(Sample.EXPRESSIONS, hostile.source());
    }

    private static String outcome(ScriptExpressions expressions, String source) {
        String condition = expressions.condition(source, Sample.ROOTS).toString();
        if (!WellFormed.is(source)) {
            return condition;
        }
        JsonString template = new JsonString("x {{ " + source + " }} {{" + source);
        Rendering rendered = expressions.render(template, Sample.ROOTS);
        String rendering = rendered.steps()
                + switch (rendered) {
                    case Rendering.Rendered _ -> " rendered";
                    case Rendering.Failed failed -> " " + failed.error();
                };
        return condition + " " + rendering + " " + expressions.checkTemplate(template);
    }

    @Test
    void thereAreEnoughOfThem() {
        assertTrue(sources().size() > 300);
    }

    @Test
    void interruptedCallersStillGetTheirAnswer() {
        Thread.currentThread().interrupt();
        assertTrue(new ScriptExpressions().condition("1 === 1", Sample.ROOTS).result());
        assertTrue(Thread.interrupted());
    }
}
