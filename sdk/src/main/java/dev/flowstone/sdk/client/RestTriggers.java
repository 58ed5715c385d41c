package dev.flowstone.sdk.client;

import static dev.flowstone.sdk.client.Call.segment;
import static java.util.Objects.requireNonNull;

import java.util.Optional;

/** Triggers over REST. */
final class RestTriggers implements Triggers {
    private static final String ROOT = "/api/v1/triggers";

    private final Caller caller;
    private final Optional<Long> revision;

    RestTriggers(Caller caller, Optional<Long> revision) {
        this.caller = requireNonNull(caller);
        this.revision = requireNonNull(revision);
    }

    @Override
    public Triggers atRevision(long expected) {
        return new RestTriggers(caller, Optional.of(expected));
    }

    private static String path(String id) {
        return ROOT + "/" + segment(id);
    }

    @Override
    public Listing<Trigger> list(TriggerFilter filter) {
        return new RestListing<>(caller, ROOT, filter.query(), Trigger::read);
    }

    @Override
    public Trigger get(String id) {
        return caller.read(Call.get(path(id)), Trigger::read);
    }

    @Override
    public Trigger create(String workflowId, TriggerType type, TriggerSpec spec) {
        return create(workflowId, type, spec, Optional.empty());
    }

    @Override
    public Trigger create(String workflowId, TriggerType type, TriggerSpec spec, String idempotencyKey) {
        return create(workflowId, type, spec, Optional.of(idempotencyKey));
    }

    private Trigger create(String workflowId, TriggerType type, TriggerSpec spec, Optional<String> key) {
        Body body = spec.body(caller).put("workflowId", workflowId).put("triggerType", type.wire());
        return caller.read(Call.post(ROOT).with(body.json()).keyed(key.or(caller::key)), Trigger::read);
    }

    @Override
    public Trigger change(String id, TriggerSpec spec) {
        return caller.read(
                Call.put(path(id), Call.Repeat.HARMLESS)
                        .with(spec.body(caller).json())
                        .at(revision),
                Trigger::read);
    }

    @Override
    public Trigger enable(String id) {
        return caller.read(Call.turn(path(id) + "/enable").at(revision), Trigger::read);
    }

    @Override
    public Trigger disable(String id) {
        return caller.read(Call.turn(path(id) + "/disable").at(revision), Trigger::read);
    }

    @Override
    public void delete(String id) {
        caller.call(Call.delete(path(id)).at(revision));
    }

    @Override
    public FiredTrigger fire(String id, Optional<?> trigger) {
        return fire(id, trigger, Optional.empty());
    }

    @Override
    public FiredTrigger fire(String id, Optional<?> trigger, String idempotencyKey) {
        return fire(id, trigger, Optional.of(idempotencyKey));
    }

    private FiredTrigger fire(String id, Optional<?> trigger, Optional<String> key) {
        Body body = new Body().put("trigger", trigger.map(caller::tree));
        Optional<String> chosen = key.or(caller::key);
        Call call = Call.post(path(id) + "/fire").with(body.json()).keyed(chosen);
        return caller.shaped(call, caller.call(call), answered -> {
            Tree tree = Tree.of(answered.body());
            Optional<String> started = tree.maybeText("executionId");
            boolean own = chosen.isEmpty() && started.isPresent();
            return new FiredTrigger(started, answered.status() == 202 || own, tree.maybeText("reason"));
        });
    }

    @Override
    public Listing<TriggerDelivery> deliveries(String id) {
        return new RestListing<>(caller, path(id) + "/deliveries", new Call.Query(), TriggerDelivery::read);
    }
}
