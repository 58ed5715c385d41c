package dev.flowstone.dialect.states.model;

import dev.flowstone.dialect.fault.Faults;
import dev.flowstone.dialect.fault.Quoted;
import dev.flowstone.dialect.states.fault.StatesFault;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonObject;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/** Finds the states and the regions that they lie in. For a source of sound shape. */
public final class SourceReader {
    private final Faults faults;
    private final List<Region> regions = new ArrayList<>();
    private final Map<String, String> places = new HashMap<>();

    public SourceReader(Faults faults) {
        this.faults = faults;
    }

    public Source read(JsonObject json) {
        At workflow = new At(json, "");
        Region root = region(null, "root", workflow);
        return new Source(workflow, root, regions);
    }

    private Region region(@Nullable Region parent, String name, At at) {
        Region region = new Region(parent, name, at.text("start").orElse(""), at.pointer("start"));
        regions.add(region);
        at.named("states").forEach((state, each) -> region.add(state(state, each, region, false)));
        return region;
    }

    private StateDef state(String name, At at, Region region, boolean alone) {
        String place = places.putIfAbsent(name, at.pointer());
        if (place != null) {
            faults.addAtName(
                    StatesFault.DUPLICATE_NAME,
                    at.pointer(),
                    "two states are named " + Quoted.text(name),
                    "rename this one; the other is at " + Quoted.cut(place, 200));
        }
        Body body = body(at);
        List<Branch> branches = switch (body) {
            case PARALLEL -> parallel(name, at, region);
            case FOR_EACH ->
                at.object("forEach")
                        .flatMap(each -> each.object("do"))
                        .map(each -> List.of(new Branch(name, 0, branch(name + ".item", each, name + "/item", region))))
                        .orElse(List.of());
            case TASKS, HUMAN, WAIT, SEND, CALL, TIMER, ASSIGN, ACQUIRE, RELEASE, END, CHOICE -> List.<Branch>of();
        };
        StateDef plain = new StateDef(name, at, body, region, List.of(), branches);
        return new StateDef(name, at, body, region, alone ? arrivals(plain) : transitions(plain), branches);
    }

    private List<Branch> parallel(String state, At at, Region region) {
        List<Branch> branches = new ArrayList<>();
        Optional<At> all = at.object("parallel").flatMap(it -> it.object("branches"));
        if (all.isEmpty()) {
            return branches;
        }
        all.get().json().members().keySet().stream().sorted().forEach(name -> {
            List<At> phases = all.get().value(name).orElseThrow() instanceof JsonArray
                    ? all.get().list(name)
                    : all.get().object(name).map(List::of).orElse(List.of());
            for (int phase = 0; phase < phases.size(); phase++) {
                String suffix = phase == 0 ? "" : "-" + (phase + 1);
                String scope = state + "/" + name + suffix;
                branches.add(new Branch(name, phase, branch(name + suffix, phases.get(phase), scope, region)));
            }
        });
        return branches;
    }

    /** A branch with states of its own, or one that is a state. */
    private Region branch(String name, At at, String scope, Region around) {
        if (at.has("states")) {
            return region(around, scope, at);
        }
        Region region = new Region(around, scope, name, at.pointer());
        regions.add(region);
        region.add(state(name, at, region, true));
        return region;
    }

    /** What a branch that is one state does after it: it arrives, with each outcome as its own. */
    private static List<Transition> arrivals(StateDef state) {
        List<Transition> arrivals = new ArrayList<>();
        for (String outcome : state.outcomes()) {
            if (!outcome.equals(StateDef.FAILURE)) {
                arrivals.add(new Transition(
                        Optional.empty(),
                        Optional.of(outcome),
                        Optional.empty(),
                        false,
                        state.at().pointer()));
            }
        }
        return arrivals;
    }

    private static List<Transition> transitions(StateDef state) {
        At at = state.at();
        List<Transition> transitions = new ArrayList<>();
        for (At each : at.list("transitions")) {
            transitions.add(new Transition(
                    Optional.of(each.text("to").orElse("")),
                    each.text("on"),
                    each.value("when"),
                    each.flag("else", false),
                    each.pointer()));
        }
        boolean others = transitions.stream()
                .anyMatch(it -> it.on().map(state.done()::contains).orElse(true));
        at.text("next")
                .ifPresent(next -> transitions.add(new Transition(
                        Optional.of(next), Optional.empty(), Optional.empty(), others, at.pointer("next"))));
        return transitions;
    }

    private static Body body(At at) {
        Map<String, Body> bodies = Map.ofEntries(
                Map.entry("task", Body.TASKS),
                Map.entry("tasks", Body.TASKS),
                Map.entry("human", Body.HUMAN),
                Map.entry("wait", Body.WAIT),
                Map.entry("send", Body.SEND),
                Map.entry("call", Body.CALL),
                Map.entry("timer", Body.TIMER),
                Map.entry("assign", Body.ASSIGN),
                Map.entry("parallel", Body.PARALLEL),
                Map.entry("forEach", Body.FOR_EACH),
                Map.entry("acquire", Body.ACQUIRE),
                Map.entry("release", Body.RELEASE),
                Map.entry("end", Body.END));
        return bodies.entrySet().stream()
                .filter(it -> at.has(it.getKey()))
                .map(Map.Entry::getValue)
                .findFirst()
                .orElse(Body.CHOICE);
    }
}
