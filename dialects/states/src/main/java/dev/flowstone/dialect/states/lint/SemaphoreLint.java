package dev.flowstone.dialect.states.lint;

import dev.flowstone.dialect.fault.Faults;
import dev.flowstone.dialect.fault.Quoted;
import dev.flowstone.dialect.states.fault.Lint;
import dev.flowstone.dialect.states.model.Body;
import dev.flowstone.dialect.states.model.Branch;
import dev.flowstone.dialect.states.model.Region;
import dev.flowstone.dialect.states.model.Source;
import dev.flowstone.dialect.states.model.StateDef;
import dev.flowstone.dialect.states.model.Transition;
import java.util.ArrayDeque;
import java.util.Deque;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/** Permits that a way out doesn't give back. A run that fails gives all of its permits back; ways that lead on don't. */
final class SemaphoreLint {
    private final Source source;
    private final Faults faults;

    SemaphoreLint(Source source, Faults faults) {
        this.source = source;
        this.faults = faults;
    }

    void run() {
        for (StateDef state : source.states()) {
            if (state.body() == Body.ACQUIRE) {
                acquired(state);
            }
            if (state.holds()) {
                Set<Region> inside = new HashSet<>();
                inside(state, inside);
                inside.forEach(region -> region.states().values().forEach(it -> leaves(state, it, inside)));
            }
        }
    }

    private void acquired(StateDef acquiring) {
        Map<StateDef, String> ways = new HashMap<>();
        Deque<StateDef> open = new ArrayDeque<>();
        ways.put(acquiring, acquiring.name());
        open.add(acquiring);
        while (!open.isEmpty()) {
            StateDef at = open.remove();
            boolean releases =
                    at.at().text("release").map(acquiring.name()::equals).orElse(false);
            if (releases) {
                continue;
            }
            if (at.body() == Body.END) {
                lost(acquiring, ways.getOrDefault(at, ""), "ends");
                return;
            }
            for (Transition way : at.transitions()) {
                // Without a permit there is nothing to give back.
                boolean without = at.equals(acquiring)
                        && way.on().map(on -> !on.equals(StateDef.SUCCESS)).orElse(false);
                Optional<StateDef> to = way.to().flatMap(at.region()::find);
                if (without) {
                    continue;
                }
                boolean out =
                        to.isEmpty() || isOutside(acquiring.region(), to.get().region());
                String path = ways.get(at) + " → " + to.map(StateDef::name).orElse("the join");
                if (out || to.get().equals(acquiring)) {
                    lost(acquiring, path, out ? "leaves the branch" : "acquires again");
                    return;
                }
                if (ways.putIfAbsent(to.get(), path) == null) {
                    open.add(to.get());
                }
            }
        }
    }

    private static boolean isOutside(Region inner, Region other) {
        return !other.equals(inner);
    }

    private void lost(StateDef acquiring, String path, String how) {
        faults.add(
                Lint.SEMAPHORE_NOT_RELEASED,
                acquiring.at().pointer("acquire"),
                "a way " + how + " with the permits of " + Quoted.text(acquiring.name()) + ": " + Quoted.cut(path, 300),
                "lead each way through \"release\": \"" + acquiring.name() + "\", or hold it with 'semaphore'");
    }

    private static void inside(StateDef state, Set<Region> regions) {
        for (Branch branch : state.branches()) {
            regions.add(branch.region());
            branch.region().states().values().forEach(inner -> inside(inner, regions));
        }
    }

    private void leaves(StateDef holder, StateDef state, Set<Region> inside) {
        for (Transition way : state.transitions()) {
            Optional<StateDef> to = way.to().flatMap(state.region()::find);
            if (to.isPresent() && !inside.contains(to.get().region())) {
                faults.add(
                        Lint.SEMAPHORE_NOT_RELEASED,
                        way.pointer(),
                        "this leaves " + Quoted.text(holder.name()) + ", which holds permits, from inside a branch",
                        "let the branch arrive, and go on from " + Quoted.text(holder.name()));
            }
        }
    }
}
