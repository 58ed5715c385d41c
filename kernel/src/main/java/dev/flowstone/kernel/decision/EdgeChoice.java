package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.event.EventBody.EvaluatedCondition;
import dev.flowstone.kernel.expression.Evaluation;
import dev.flowstone.kernel.expression.ExpressionError;
import dev.flowstone.kernel.expression.Fact;
import dev.flowstone.kernel.expression.MissingFactException;
import dev.flowstone.kernel.expression.Roots;
import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.PolicyName;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.policy.PolicyEvaluator;
import dev.flowstone.kernel.program.Edge;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Place;
import dev.flowstone.kernel.program.Routing;
import dev.flowstone.kernel.program.Way;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Chooses among a node's edges for an outcome (R8, R9). */
final class EdgeChoice {
    private static final ExpressionError NOT_EVALUATED = new ExpressionError(
            "BUDGET_DECISION",
            "The node's conditions before this one took all the steps or bytes that one decision allows; it was not evaluated.",
            -1);

    private final Deciding deciding;
    private final Place place;
    private final Outcome outcome;
    private final List<EvaluatedCondition> conditions = new ArrayList<>();
    private final Set<EdgeId> taken = new HashSet<>();
    private final Set<Outcome> served = new HashSet<>();
    private final Set<Fact> missing = new HashSet<>();
    private long steps;
    private long bytes;

    EdgeChoice(Deciding deciding, Place place, Outcome outcome) {
        this.deciding = deciding;
        this.place = place;
        this.outcome = standing(place, outcome);
        choose();
        if (!missing.isEmpty()) {
            throw new MissingFactsException(missing);
        }
    }

    /** The chosen edges, in (priority, id) order. */
    List<EdgeId> taken() {
        List<EdgeId> edges = new ArrayList<>(taken.size());
        for (Way way : place.ways()) {
            if (taken.contains(way.edge().id())) {
                edges.add(way.edge().id());
            }
        }
        return edges;
    }

    /** What was evaluated, in order. */
    List<EvaluatedCondition> conditions() {
        return conditions;
    }

    /** {@code timeout} and {@code denied} without an edge of their own count as {@code failure}. */
    private static Outcome standing(Place place, Outcome outcome) {
        if (!outcome.isFailure()) {
            return outcome;
        }
        for (Way way : place.ways()) {
            if (way.edge().on().equals(outcome)) {
                return outcome;
            }
        }
        return Outcome.FAILURE;
    }

    private void choose() {
        boolean first = place.node().routing() == Routing.FIRST;
        for (Way way : place.ways()) {
            if (isCandidate(way) && !way.edge().otherwise() && holds(way.edge())) {
                take(way.edge());
                if (first) {
                    return;
                }
            }
        }
        Set<Outcome> served = Set.copyOf(this.served);
        for (Way way : place.ways()) {
            if (isCandidate(way)
                    && way.edge().otherwise()
                    && !served.contains(way.edge().on())) {
                take(way.edge());
                if (first) {
                    return;
                }
            }
        }
    }

    private void take(Edge edge) {
        taken.add(edge.id());
        served.add(edge.on());
    }

    private boolean isCandidate(Way way) {
        Outcome on = way.edge().on();
        return way.kind() != Way.Kind.CONTINUATION && (on.equals(outcome) || on.equals(Outcome.ALWAYS));
    }

    private boolean holds(Edge edge) {
        if (edge.policy().isPresent()) {
            return allowed(edge, edge.policy().get());
        }
        if (edge.when().isEmpty()) {
            return true;
        }
        deciding.work(1);
        String source = edge.when().get();
        if (spent()) {
            conditions.add(
                    new EvaluatedCondition(edge.id(), source, JsonObject.EMPTY, false, Optional.of(NOT_EVALUATED)));
            return false;
        }
        Roots roots = deciding.roots();
        try {
            Evaluation evaluation = deciding.env().expressions().condition(source, roots);
            count(evaluation.steps(), evaluation.bytes());
            conditions.add(new EvaluatedCondition(
                    edge.id(),
                    source,
                    evaluation.read(),
                    evaluation.result(),
                    evaluation.error().map(EdgeChoice::cut)));
            return evaluation.result();
        } catch (MissingFactException e) {
            // The others may miss something too; all of it is fetched in one go.
            missing.add(e.fact());
            count(e.steps(), e.bytes());
            return false;
        }
    }

    /** A policy is asked in its current version, and never allows if there is none. */
    private boolean allowed(Edge edge, PolicyName name) {
        deciding.work(1);
        try {
            PolicyAnswer answer = PolicyAnswer.of(deciding, name, left());
            count(answer.steps(), answer.bytes());
            conditions.add(new EvaluatedCondition(
                    edge.id(),
                    "",
                    answer.read(),
                    answer.decision().allowed(),
                    answer.error().map(EdgeChoice::cut),
                    Optional.of(answer.decision())));
            return answer.decision().allowed();
        } catch (MissingFactException e) {
            missing.add(e.fact());
            count(e.steps(), e.bytes());
            return false;
        }
    }

    private PolicyEvaluator.Budget left() {
        Bounds bounds = deciding.bounds();
        return new PolicyEvaluator.Budget(
                bounds.expressionStepsPerDecision() - steps, bounds.expressionBytesPerDecision() - bytes);
    }

    /** Whether this node's own conditions have used up what one decision allows. */
    private boolean spent() {
        Bounds bounds = deciding.bounds();
        return steps >= bounds.expressionStepsPerDecision() || bytes >= bounds.expressionBytesPerDecision();
    }

    private void count(long usedSteps, long usedBytes) {
        steps += usedSteps;
        bytes += usedBytes;
        deciding.used(usedSteps, usedBytes);
    }

    private static ExpressionError cut(ExpressionError error) {
        return new ExpressionError(error.code(), Answers.text(error.message(), Answers.EXPRESSION), error.position());
    }
}
