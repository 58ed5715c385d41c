package dev.flowstone.bench.jmh;

import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.kernel.expression.Evaluation;
import dev.flowstone.kernel.expression.Rendering;
import dev.flowstone.kernel.expression.Roots;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import java.util.concurrent.TimeUnit;
import org.openjdk.jmh.annotations.Benchmark;
import org.openjdk.jmh.annotations.BenchmarkMode;
import org.openjdk.jmh.annotations.Fork;
import org.openjdk.jmh.annotations.Measurement;
import org.openjdk.jmh.annotations.Mode;
import org.openjdk.jmh.annotations.OutputTimeUnit;
import org.openjdk.jmh.annotations.Scope;
import org.openjdk.jmh.annotations.State;
import org.openjdk.jmh.annotations.Warmup;

/**
 * Conditions and templates as the specification has them, through the public interface: cache lookup, evaluation and the
 * record of what was read. The house asks for 500,000 conditions a second on one core.
 */
@State(Scope.Benchmark)
@BenchmarkMode(Mode.Throughput)
@OutputTimeUnit(TimeUnit.SECONDS)
@Fork(1)
@Warmup(iterations = 3, time = 1)
@Measurement(iterations = 5, time = 1)
public class ExpressionBenchmark {
    private final ScriptExpressions expressions = new ScriptExpressions();
    private final Roots roots = data()::get;
    private final JsonValue template = JsonObject.builder()
            .put("title", "{{ context.data['get-item'].items[0].Name }} - Project Brief")
            .put("answers", "{{ trigger.answers }}")
            .put("space", "PROJECTS")
            .build();

    @Benchmark
    public Evaluation comparison() {
        return expressions.condition("context.data['get-item'].items[0].Status === 'Approved'", roots);
    }

    @Benchmark
    public Evaluation severalOperators() {
        return expressions.condition(
                "trigger.amount >= 1000 && (context.data['get-item'].errorNode ?? 'unknown') === 'unknown'", roots);
    }

    @Benchmark
    public Evaluation arrowFunction() {
        return expressions.condition("context.data['get-item'].items.some(item => item.Status === 'Approved')", roots);
    }

    @Benchmark
    public Rendering template() {
        return expressions.render(template, roots);
    }

    private static JsonObject data() {
        JsonObject item = JsonObject.builder()
                .put("Status", "Approved")
                .put("Name", "Apollo")
                .build();
        JsonObject output =
                JsonObject.builder().put("items", JsonArray.of(item)).build();
        return JsonObject.builder()
                .put(
                        "trigger",
                        JsonObject.builder()
                                .put("amount", 1_200)
                                .put("answers", JsonArray.of(new JsonString("yes")))
                                .build())
                .put(
                        "context",
                        JsonObject.builder()
                                .put(
                                        "data",
                                        JsonObject.builder()
                                                .put("get-item", output)
                                                .build())
                                .build())
                .build();
    }
}
