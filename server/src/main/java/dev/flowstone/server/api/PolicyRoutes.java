package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.policy.PolicyStore;
import dev.flowstone.engine.policy.PolicyVersion;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.kernel.id.PolicyName;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.policy.Policies;
import dev.flowstone.kernel.policy.PolicyEvaluator;
import dev.flowstone.server.http.BodyRule;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.Problem;
import dev.flowstone.server.http.ProblemCode;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.server.http.Reply;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Scope;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Publishes policies: each change is a version of its own, and the newest decides from the next decision on. */
final class PolicyRoutes {
    private static final String ONE = "/api/v1/policies/{name}";

    /** Every decision that asks the policy reads all of it. */
    private static final int LONGEST = 64 << 10;

    private final PolicyStore store;
    private final Policies evaluators;
    private final Clock clock;

    PolicyRoutes(PolicyStore store, Policies evaluators, Clock clock) {
        this.store = requireNonNull(store);
        this.evaluators = requireNonNull(evaluators);
        this.clock = requireNonNull(clock);
    }

    List<Route> routes() {
        return List.of(
                Route.get(ONE, Scope.POLICIES_READ, Set.of("version"), this::read),
                Route.put(ONE, Scope.POLICIES_WRITE, BodyRule.REQUIRED, this::publish));
    }

    private Reply publish(Call call) throws ProblemException, JournalException {
        PolicyName name = name(call);
        JsonObject bundle = call.fields().json();
        Optional<PolicyEvaluator> evaluator = evaluators.of(bundle);
        if (evaluator.isEmpty()) {
            throw refused("'kind' is none that is evaluated here: "
                    + String.join(", ", evaluators.byKind().keySet()));
        }
        Optional<String> fault = evaluator.get().fault(bundle);
        if (fault.isPresent()) {
            throw refused(fault.get());
        }
        if (CanonicalJson.exactLength(bundle) > LONGEST) {
            throw Problem.of(ProblemCode.LIMIT_EXCEEDED, "a policy has at most " + LONGEST + " bytes")
                    .exception();
        }
        return Reply.json(200, json(store.publish(call.tenant(), name, bundle, clock.now())));
    }

    private Reply read(Call call) throws ProblemException, JournalException {
        PolicyName name = name(call);
        Optional<Integer> number = call.query().number("version", 1, Integer.MAX_VALUE);
        Optional<PolicyVersion> version = number.isPresent()
                ? store.version(call.tenant(), name, number.get())
                : store.current(call.tenant(), name);
        return Reply.json(
                200,
                json(version.orElseThrow(() -> Problem.of(
                                ProblemCode.POLICY_NOT_FOUND,
                                "this tenant has no policy of this name and version; PUT " + ONE + " publishes one")
                        .exception())));
    }

    private static JsonObject json(PolicyVersion version) {
        return JsonObject.builder()
                .put("name", version.name().value())
                .put("version", version.version())
                .put("hash", version.hash().toString())
                .put("publishedAt", version.publishedAt().toString())
                .put("bundle", version.bundle())
                .build();
    }

    private static PolicyName name(Call call) throws ProblemException {
        try {
            return new PolicyName(call.variable("name"));
        } catch (IllegalArgumentException e) {
            throw Problem.of(ProblemCode.INVALID_REQUEST, String.valueOf(e.getMessage()))
                    .exception();
        }
    }

    private static ProblemException refused(String detail) {
        return Problem.of(ProblemCode.WFENG005, detail).exception();
    }
}
