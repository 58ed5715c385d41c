package dev.flowstone.server.api;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.Engine;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.engine.policy.PolicyStore;
import dev.flowstone.engine.policy.PolicyVersion;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.kernel.id.PolicyName;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonNull;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonParser;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.policy.BundleFault;
import dev.flowstone.server.api.doc.WorkflowDocs;
import dev.flowstone.server.http.BodyRule;
import dev.flowstone.server.http.Call;
import dev.flowstone.server.http.Fault;
import dev.flowstone.server.http.Fields;
import dev.flowstone.server.http.Problem;
import dev.flowstone.server.http.ProblemCode;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.server.http.Reply;
import dev.flowstone.server.http.Route;
import dev.flowstone.server.http.Scope;
import java.util.List;
import java.util.Optional;

/** Publishes policies: each change is a version of its own, and the newest decides from the next decision on. */
final class PolicyRoutes {
    private static final String ONE = "/api/v1/policies/{name}";

    private final PolicyStore store;
    private final Engine engine;
    private final Clock clock;

    PolicyRoutes(PolicyStore store, Engine engine, Clock clock) {
        this.store = requireNonNull(store);
        this.engine = requireNonNull(engine);
        this.clock = requireNonNull(clock);
    }

    List<Route> routes() {
        return List.of(
                Route.get(ONE, Scope.POLICIES_READ, WorkflowDocs.POLICY, this::read),
                Route.put(ONE, Scope.POLICIES_WRITE, WorkflowDocs.PUBLISH_POLICY, BodyRule.REQUIRED, this::publish));
    }

    private Reply publish(Call call) throws ProblemException, JournalException {
        PolicyName name = name(call);
        JsonObject bundle = call.fields().json();
        if (CanonicalJson.exactLength(bundle) > PolicyVersion.MOST_BYTES) {
            throw Problem.of(
                            ProblemCode.LIMIT_EXCEEDED,
                            "a policy has at most " + PolicyVersion.MOST_BYTES
                                    + " bytes, since every decision that asks it reads all of it; split it into several")
                    .exception();
        }
        refuse(call.fields(), engine.policyFaults(bundle));
        return Reply.json(
                200,
                json(store.publish(call.tenant(), name, bundle, call.caller().principal(), clock.now())));
    }

    private static void refuse(Fields body, List<BundleFault> faults) throws ProblemException {
        if (!faults.isEmpty()) {
            List<Fault> told = faults.stream()
                    .map(it -> {
                        JsonParser.Place place = body.place(it.pointer());
                        return new Fault(
                                it.code().name(),
                                it.pointer(),
                                place.line(),
                                place.column(),
                                it.message(),
                                it.remedy());
                    })
                    .toList();
            throw Problem.of(ProblemCode.WFENG005, "the policy has " + Answers.count(told.size()), told)
                    .exception();
        }
    }

    private Reply read(Call call) throws ProblemException, JournalException {
        PolicyName name = name(call);
        Optional<Integer> number = call.query().number("version", 1, WorkflowDocs.MOST_VERSIONS);
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
                .put(
                        "publishedBy",
                        version.publishedBy()
                                .<JsonValue>map(by -> new JsonString(by.toString()))
                                .orElse(JsonNull.NULL))
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
}
