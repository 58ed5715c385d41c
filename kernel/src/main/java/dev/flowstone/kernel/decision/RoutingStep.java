package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.EventBody.EvaluatedCondition;
import dev.flowstone.kernel.event.EventBody.Transitioned;
import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Place;
import dev.flowstone.kernel.state.Activation;
import dev.flowstone.kernel.state.Ending;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Collectors;

/** An activation has its result: where does it lead (R7–R9)? */
final class RoutingStep {
    private final Deciding deciding;
    private final Activation activation;
    private final Outcome outcome;
    private final Place place;

    RoutingStep(Deciding deciding, Activation activation) {
        this.deciding = deciding;
        this.activation = activation;
        this.outcome = Objects.requireNonNull(activation.outcome(), "an activation that is routed has a result");
        this.place = deciding.state().topology().place(activation.id().node());
    }

    void run() {
        if (deciding.state().ending() != Ending.NONE || place.node() instanceof Node.End) {
            transition(List.of(), List.of());
        } else if (outcome.equals(Outcome.SKIPPED)) {
            skipped();
        } else {
            EdgeChoice choice = new EdgeChoice(deciding, place, outcome);
            if (!choice.taken().isEmpty()) {
                transition(choice.taken(), choice.conditions());
            } else if (outcome.isFailure()) {
                unhandled(choice.conditions());
            } else if (mayEnd() && !outcome.equals(Outcome.UNSATISFIED)) {
                transition(List.of(), choice.conditions());
            } else {
                stuck(choice.conditions());
            }
        }
    }

    /** The innermost scope says whether it parks, arrives, or fails the run and the scopes around (R23). */
    private void unhandled(List<EvaluatedCondition> conditions) {
        switch (place.scope().onFailure()) {
            case FAIL, COMPENSATE -> {
                transition(List.of(), conditions);
                Unhandled.fails(deciding, error(), Optional.of(place.node().id()), activation.scope());
            }
            case ARRIVE -> transition(List.of(), conditions);
            case PARK -> {
                TaskError error = error();
                deciding.emit(new EventBody.IncidentRaised(
                        "UNHANDLED_FAILURE",
                        Optional.of(activation.id()),
                        activation.id() + " ended with outcome " + outcome + " (" + error.code() + ": "
                                + Answers.text(error.message(), Answers.EXPRESSION) + "), and no edge handles that"
                                + denials(conditions)));
            }
        }
    }

    /** The edges of a skipped activation are dead, whatever their outcome; in a flow scope that ends the token. */
    private void skipped() {
        if (place.settling() || mayEnd()) {
            transition(List.of(), List.of());
        } else {
            stuck(List.of());
        }
    }

    private boolean mayEnd() {
        return place.node().mayEnd()
                || (place.out() && place.scope().continuation().isPresent());
    }

    private void stuck(List<EvaluatedCondition> conditions) {
        String errors =
                conditions.stream().anyMatch(condition -> condition.error().isPresent())
                        ? "; at least one of its conditions has an error"
                        : "";
        deciding.emit(new EventBody.IncidentRaised(
                "NO_EDGE_TAKEN",
                Optional.of(activation.id()),
                activation.id() + " ended with outcome " + outcome + ", no edge for it was taken, and no path may end"
                        + " here" + errors + denials(conditions)));
    }

    /** The policies that kept it here: while it is stuck no other event names them. */
    private static String denials(List<EvaluatedCondition> conditions) {
        return conditions.stream()
                .flatMap(it -> it.policy().stream())
                .map(it -> "; " + Answers.text(it.toString(), Answers.EXPRESSION))
                .collect(Collectors.joining());
    }

    /** Records the choice with as much of its reasons as an event may hold. */
    private void transition(List<EdgeId> taken, List<EvaluatedCondition> conditions) {
        if (offered(taken, conditions)) {
            return;
        }
        List<EvaluatedCondition> brief = conditions.stream()
                .map(condition -> new EvaluatedCondition(
                        condition.edge(),
                        condition.expression(),
                        JsonObject.EMPTY,
                        condition.result(),
                        condition.error(),
                        condition.policy()))
                .toList();
        if (!offered(taken, brief)) {
            // Which policy decided must not be lost, however little else is kept.
            deciding.emit(new Transitioned(activation.id(), outcome, taken, BriefPolicies.of(brief)));
        }
    }

    private boolean offered(List<EdgeId> taken, List<EvaluatedCondition> conditions) {
        return deciding.offer(new Transitioned(activation.id(), outcome, taken, conditions));
    }

    /** The failure as its applier left it for later nodes to see. */
    private TaskError error() {
        Payload result = deciding.state().result(place, activation.scope());
        if (result instanceof Payload.Inline inline
                && inline.value() instanceof JsonObject object
                && object.get("error") instanceof JsonObject error
                && error.get("code") instanceof JsonString code
                && error.get("message") instanceof JsonString message
                && error.get("details") instanceof JsonObject details) {
            return new TaskError(code.value(), message.value(), details);
        }
        return TaskError.of("FAILED", place.node().id() + " failed");
    }
}
