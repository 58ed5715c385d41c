package dev.flowstone.dialect.states.check;

import dev.flowstone.dialect.fault.Faults;
import dev.flowstone.dialect.fault.Nearest;
import dev.flowstone.dialect.fault.Quoted;
import dev.flowstone.dialect.states.fault.StatesFault;
import dev.flowstone.dialect.states.model.At;
import dev.flowstone.dialect.states.model.Body;
import dev.flowstone.dialect.states.model.Branch;
import dev.flowstone.dialect.states.model.Region;
import dev.flowstone.dialect.states.model.Source;
import dev.flowstone.dialect.states.model.StateDef;
import dev.flowstone.dialect.states.model.Transition;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;

/** Whether every name of a state leads to one, and a way leads to every state. */
public final class NameCheck {
    private final Source source;
    private final Faults faults;
    private final Nearest nearest;
    private boolean whole = true;

    public NameCheck(Source source, Faults faults, Nearest nearest) {
        this.source = source;
        this.faults = faults;
        this.nearest = nearest;
    }

    public void run() {
        for (Region region : source.regions()) {
            if (!region.states().containsKey(region.start())) {
                unknown(region.start(), region.pointer(), region.states().keySet());
            }
            for (StateDef state : region.states().values()) {
                for (Transition way : state.transitions()) {
                    way.to().ifPresent(to -> way(region, to, way));
                }
                if (state.body() == Body.RELEASE) {
                    release(state);
                }
            }
        }
        Set<String> all = new TreeSet<>();
        source.states().forEach(state -> all.add(state.name()));
        for (At milestone : source.workflow()
                .object("progress")
                .map(it -> it.list("milestones"))
                .orElse(List.of())) {
            String state = milestone.text("state").orElse("");
            if (!all.contains(state)) {
                unknown(state, milestone.pointer("state"), all);
            }
        }
        outputs(all);
        if (whole) {
            unreachable();
        }
    }

    private void way(Region region, String to, Transition way) {
        if (region.find(to).isPresent()) {
            return;
        }
        Set<String> near = new TreeSet<>();
        for (Region at = region; at != null; at = at.parent().orElse(null)) {
            near.addAll(at.states().keySet());
        }
        unknown(to, way.pointer().endsWith("/next") ? way.pointer() : way.pointer() + "/to", near);
    }

    private void unknown(String name, String pointer, Set<String> known) {
        whole = false;
        faults.add(
                StatesFault.UNKNOWN_STATE,
                pointer,
                "no state is named " + Quoted.text(name) + " here",
                nearest.orElse(name, known, "there are " + Quoted.choice(known).replace(" or ", " and ")));
    }

    private void release(StateDef state) {
        String name = state.at().text("release").orElse("");
        boolean there =
                state.region().find(name).map(it -> it.body() == Body.ACQUIRE).orElse(false);
        if (!there) {
            Set<String> acquiring = new TreeSet<>();
            source.states().stream().filter(it -> it.body() == Body.ACQUIRE).forEach(it -> acquiring.add(it.name()));
            unknown(name, state.at().pointer("release"), acquiring);
        }
    }

    /** Outputs are named by states and by steps: no two alike. */
    private void outputs(Set<String> states) {
        Set<String> names = new HashSet<>(states);
        for (StateDef state : source.states()) {
            List<At> steps = new ArrayList<>(state.at().list("onEnter"));
            List<At> tasks = state.steps();
            steps.addAll(tasks.subList(0, Math.max(0, tasks.size() - 1)));
            for (At step : steps) {
                step.text("id")
                        .filter(id -> !names.add(id))
                        .ifPresent(id -> faults.add(
                                StatesFault.DUPLICATE_NAME,
                                step.pointer("id"),
                                "a state or another step is named " + Quoted.text(id),
                                "give this step a name of its own"));
            }
            List<At> nameless = new ArrayList<>(state.at().list("onExit"));
            nameless.addAll(tasks.subList(Math.max(0, tasks.size() - 1), tasks.size()));
            for (At step : nameless) {
                if (step.has("id")) {
                    faults.add(
                            StatesFault.NOT_TOGETHER,
                            step.pointer("id"),
                            "the last step of a body has its state's name, and steps on leaving have none",
                            "remove 'id', and read context.data['" + state.name() + "']");
                }
            }
        }
    }

    private void unreachable() {
        Set<StateDef> reached = new HashSet<>();
        Deque<StateDef> open = new ArrayDeque<>();
        source.root().first().ifPresent(open::add);
        while (!open.isEmpty()) {
            StateDef state = open.remove();
            if (reached.add(state)) {
                state.transitions()
                        .forEach(way -> way.to().flatMap(state.region()::find).ifPresent(open::add));
                for (Branch branch : state.branches()) {
                    branch.region().first().ifPresent(open::add);
                }
            }
        }
        for (StateDef state : source.states()) {
            if (!reached.contains(state)) {
                faults.addAtName(
                        StatesFault.UNREACHABLE_STATE,
                        state.at().pointer(),
                        "no way from the start leads to " + Quoted.text(state.name()),
                        "lead a transition there, or remove the state");
            }
        }
    }
}
