package dev.flowstone.kernel.event;

import dev.flowstone.kernel.event.EventBody.ActivationCanceled;
import dev.flowstone.kernel.event.EventBody.ActivationOpened;
import dev.flowstone.kernel.event.EventBody.ActivationSkipped;
import dev.flowstone.kernel.event.EventBody.EvaluatedCondition;
import dev.flowstone.kernel.event.EventBody.Transitioned;
import dev.flowstone.kernel.expression.ExpressionError;
import dev.flowstone.kernel.id.EdgeId;
import dev.flowstone.kernel.id.PolicyName;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.program.Outcome;
import java.util.List;

/** Stored forms of how activations begin, end and lead on. */
final class ActivationForms {
    private ActivationForms() {}

    static void write(FrameOutput out, ActivationOpened body) {
        out.name("activation").string(body.activation().toString());
        out.name("key").hash(body.key());
    }

    /** What stands behind {@code type} and {@code v} in the order of names. */
    static void writeRest(FrameOutput out, ActivationOpened body) {
        Parts.edges(out.name("via"), body.via());
    }

    static ActivationOpened opened(JsonCursor at) {
        return new ActivationOpened(
                Parts.activation(at), at.as("key", Sha256::parse), at.list("via", edge -> edge.as(EdgeId::new)));
    }

    static void write(FrameOutput out, ActivationCanceled body) {
        out.name("activation").string(body.activation().toString());
        out.name("reason").string(body.reason());
    }

    static ActivationCanceled canceled(JsonCursor at) {
        return new ActivationCanceled(Parts.activation(at), at.string("reason"));
    }

    static void write(FrameOutput out, ActivationSkipped body) {
        out.name("activation").string(body.activation().toString());
    }

    static ActivationSkipped skipped(JsonCursor at) {
        return new ActivationSkipped(Parts.activation(at));
    }

    static void write(FrameOutput out, Transitioned body) {
        out.name("activation").string(body.activation().toString());
        if (!body.conditions().isEmpty()) {
            out.name("conditions").ascii("[");
            for (int i = 0; i < body.conditions().size(); i++) {
                out.ascii(i == 0 ? "" : ",");
                condition(out, body.conditions().get(i));
            }
            out.ascii("]");
        }
        out.name("outcome").string(body.outcome().name());
        Parts.edges(out.name("taken"), body.taken());
    }

    static Transitioned transitioned(JsonCursor at) {
        return new Transitioned(
                Parts.activation(at),
                at.as("outcome", Outcome::new),
                at.list("taken", edge -> edge.as(EdgeId::new)),
                at.find("conditions")
                        .map(list -> list.<EvaluatedCondition>list(ActivationForms::condition))
                        .orElse(List.of()));
    }

    private static void condition(FrameOutput out, EvaluatedCondition condition) {
        out.open();
        out.name("edge").string(condition.edge().value());
        condition.error().ifPresent(error -> {
            out.name("error").open();
            out.name("code").string(error.code());
            out.name("message").string(error.message());
            out.name("position").number(error.position());
            out.close();
        });
        out.name("expression").string(condition.expression());
        condition.policy().ifPresent(policy -> policy(out, policy));
        out.name("read").value(condition.read());
        out.name("result").bool(condition.result());
        out.close();
    }

    private static void policy(FrameOutput out, PolicyDecision policy) {
        out.name("policy").open();
        out.name("allowed").bool(policy.allowed());
        out.name("bundle").string(policy.bundle().value());
        out.name("hash").hash(policy.hash());
        out.name("reason").string(policy.reason());
        policy.rule().ifPresent(rule -> out.name("rule").string(rule));
        out.name("version").number(policy.version());
        out.close();
    }

    private static PolicyDecision policy(JsonCursor at) {
        return new PolicyDecision(
                at.as("bundle", PolicyName::new),
                at.intValue("version"),
                at.as("hash", Sha256::parse),
                at.bool("allowed"),
                at.find("rule").map(JsonCursor::string),
                at.string("reason"));
    }

    private static EvaluatedCondition condition(JsonCursor at) {
        return new EvaluatedCondition(
                at.as("edge", EdgeId::new),
                at.string("expression"),
                at.member("read").object(),
                at.bool("result"),
                at.find("error")
                        .map(error -> new ExpressionError(
                                error.string("code"), error.string("message"), error.intValue("position"))),
                at.find("policy").map(ActivationForms::policy));
    }
}
