package dev.flowstone.server.metric;

import dev.flowstone.kernel.expression.Evaluation;
import dev.flowstone.kernel.expression.ExpressionError;
import dev.flowstone.kernel.expression.Expressions;
import dev.flowstone.kernel.expression.Rendering;
import dev.flowstone.kernel.expression.Roots;
import dev.flowstone.kernel.json.JsonValue;
import java.util.Optional;

/** Times evaluations, and changes nothing of them. */
public final class TimedExpressions implements Expressions {
    private final Expressions expressions;
    private final Spread.Cell conditions;
    private final Spread.Cell templates;

    public TimedExpressions(Expressions expressions, Meters meters) {
        this.expressions = expressions;
        this.conditions = meters.add(new Spread(
                        "condition_eval_duration_seconds", "Of one evaluation of a condition.", Scale.TINY, 1))
                .cell();
        this.templates = meters.add(
                        new Spread("template_render_duration_seconds", "Of filling in one template.", Scale.TINY, 1))
                .cell();
    }

    @Override
    public Evaluation condition(String source, Roots roots) {
        long begin = System.nanoTime();
        Evaluation evaluation = expressions.condition(source, roots);
        conditions.add(System.nanoTime() - begin);
        return evaluation;
    }

    @Override
    public Optional<ExpressionError> checkCondition(String source) {
        return expressions.checkCondition(source);
    }

    @Override
    public Rendering render(JsonValue template, Roots roots) {
        long begin = System.nanoTime();
        Rendering rendering = expressions.render(template, roots);
        templates.add(System.nanoTime() - begin);
        return rendering;
    }
}
