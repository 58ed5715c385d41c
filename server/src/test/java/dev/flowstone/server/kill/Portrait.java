package dev.flowstone.server.kill;

import dev.flowstone.kernel.event.CompensationEvent;
import dev.flowstone.kernel.event.ControlEvent;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.HumanEvent;
import dev.flowstone.kernel.event.MessageEvent;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.json.CanonicalJson;
import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.payload.PayloadCodec;
import dev.flowstone.kernel.program.Node;
import dev.flowstone.kernel.program.Scope;
import dev.flowstone.kernel.state.RunState;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * What a run came to, told so that two runs of one program compare: without ids, times and counts of attempts, and without
 * the order of what happened side by side. Each branch is named by its place and tells its visits and how they came out:
 * in their order in a flow, in that of their names in a settling scope, where they run beside each other.
 */
final class Portrait {
    private final Branches branches = new Branches();
    private final Map<String, List<ActivationId>> visits = new TreeMap<>();
    private final Map<ActivationId, String> outcomes = new HashMap<>();
    private final Map<ActivationId, Sha256> keys = new HashMap<>();
    private final Set<ActivationId> effects = new HashSet<>();
    private final List<String> undone = new ArrayList<>();
    private final Map<String, MessageEvent.ChildEnded> children = new TreeMap<>();
    private final List<String> decisions = new ArrayList<>();
    private final Map<Long, String> buffered = new HashMap<>();

    /** Who said what is taken from the buffer, and in which entry. */
    private String speaker = "";

    private long speaksIn;
    private RunState state;

    Portrait(RunState initial) {
        this.state = initial;
    }

    void add(Event event) {
        state = state.apply(event);
        switch (event.body()) {
            case EventBody.ActivationOpened body -> {
                keys.put(body.activation(), body.key());
                visited(body.activation());
            }
            case EventBody.ActivationSkipped body -> {
                visited(body.activation());
                outcomes.put(body.activation(), "skipped");
            }
            case EventBody.Transitioned body -> {
                outcomes.put(body.activation(), body.outcome().name());
                body.conditions()
                        .forEach(condition -> condition
                                .policy()
                                .ifPresent(policy -> decisions.add(branches.name(body.activation()) + ": version "
                                        + policy.version() + " of " + policy.bundle() + " says " + policy.allowed())));
            }
            case EventBody.ActivationCanceled body -> outcomes.put(body.activation(), "canceled");
            case EventBody.TaskCompleted body -> once(body.activation());
            case CompensationEvent.CompensationScheduled body -> keys.put(body.activation(), body.key());
            case CompensationEvent.CompensationApplied body -> {
                once(body.activation());
                undone.add(body.activation().node().value());
            }
            case HumanEvent.HumanDecided body ->
                decisions.add(branches.name(body.activation()) + ": " + who(event) + " " + body.outcome());
            case ControlEvent.InputBuffered body ->
                buffered.put(
                        body.number(),
                        JsonCursor.of(body.input())
                                .member("stamp")
                                .member("actor")
                                .string());
            case ControlEvent.BufferedInputTaken body -> {
                speaker = String.valueOf(buffered.remove(body.number()));
                speaksIn = event.header().firstSequence();
            }
            case HumanEvent.DecisionApplied body ->
                decisions.add(branches.name(body.activation()) + ": applies " + branches.name(body.decided()));
            case MessageEvent.ChildEnded body -> children.put(branches.name(body.activation()), body);
            default -> {}
        }
    }

    /** What was buffered is its sender's word, not that of whoever resumed the run, whom the header names (R25). */
    private String who(Event event) {
        return speaksIn == event.header().firstSequence()
                ? speaker
                : event.header().actor().toString();
    }

    private void visited(ActivationId activation) {
        String branch = branches.opened(state.toJson(), activation);
        visits.computeIfAbsent(branch, _ -> new ArrayList<>()).add(activation);
    }

    private void once(ActivationId activation) {
        if (!effects.add(activation)) {
            throw new AssertionError(activation + " of " + state.run() + " is completed twice");
        }
    }

    /** What ended children, by the place of their call. */
    Map<String, MessageEvent.ChildEnded> children() {
        return children;
    }

    /** Keys under which the run knows that something happened. */
    Set<String> keysOfEffects() {
        Set<String> all = new HashSet<>();
        for (ActivationId activation : effects) {
            all.add(keys.get(activation) + "");
        }
        return all;
    }

    /** Each line by itself compares with that of another run. */
    List<String> lines() {
        List<String> lines = new ArrayList<>();
        lines.add("status " + state.status() + ", variables " + CanonicalJson.exactText(state.variables()));
        lines.add("output " + state.output().map(it -> CanonicalJson.exactText(PayloadCodec.write(it))));
        lines.add("undone " + undone);
        visits.forEach((branch, activations) -> lines.add(branch + ": " + told(activations)));
        Collections.sort(decisions);
        lines.addAll(decisions);
        children.forEach((call, ended) -> lines.add(call + " ended " + ended.ended() + " with "
                + CanonicalJson.exactText(PayloadCodec.write(ended.output()))
                + ended.error().map(error -> " " + error.code()).orElse("")));
        return lines;
    }

    private String told(List<ActivationId> activations) {
        List<String> told = new ArrayList<>();
        for (ActivationId activation : activations) {
            told.add(activation.node() + " " + outcomes.get(activation)
                    + (effects.contains(activation) ? " with an effect" : ""));
        }
        Node node = state.program().node(activations.getFirst().node());
        Scope scope = state.program().scope(node.scope());
        if (scope.kind() == Scope.Kind.SETTLING) {
            Collections.sort(told);
        }
        return told.toString();
    }

    /** Names of scope instances and activations by their place in the program's tree, the same in every run. */
    private static final class Branches {
        private final Map<Integer, String> instances = new HashMap<>();
        private final Map<String, Integer> counts = new HashMap<>();
        private final Map<ActivationId, String> activations = new HashMap<>();

        /** Takes in an activation that the state has just opened; the name of the instance that it lies in. */
        String opened(JsonObject state, ActivationId activation) {
            int number = Snapshots.scopeOf(state, activation);
            String instance = instance(state, number);
            activations.put(activation, counted(instance + "/" + activation.node()));
            return instance;
        }

        private String instance(JsonObject state, int number) {
            String known = instances.get(number);
            if (known == null) {
                JsonObject scope = Snapshots.scope(state, number);
                String around = number == 0 ? "" : instance(state, Snapshots.number(scope, "parent")) + "/";
                known = counted(around + Snapshots.name(scope));
                instances.put(number, known);
            }
            return known;
        }

        private String counted(String name) {
            return name + "." + counts.merge(name, 1, Integer::sum);
        }

        String name(ActivationId activation) {
            return activations.getOrDefault(activation, activation.toString());
        }
    }
}
