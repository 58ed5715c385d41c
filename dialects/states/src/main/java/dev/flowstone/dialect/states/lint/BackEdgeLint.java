package dev.flowstone.dialect.states.lint;

import dev.flowstone.dialect.fault.Faults;
import dev.flowstone.dialect.fault.Quoted;
import dev.flowstone.dialect.states.fault.Lint;
import dev.flowstone.dialect.states.model.Body;
import dev.flowstone.dialect.states.model.Region;
import dev.flowstone.dialect.states.model.Source;
import dev.flowstone.dialect.states.model.StateDef;
import dev.flowstone.dialect.states.model.Transition;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashSet;
import java.util.Iterator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;

/** Ways back: over effects that nothing undoes, or around a circle in which nothing waits. */
final class BackEdgeLint {
    private static final Set<Body> WAITING =
            Set.of(Body.HUMAN, Body.WAIT, Body.TIMER, Body.CALL, Body.ACQUIRE, Body.PARALLEL, Body.FOR_EACH);

    private final Source source;
    private final Faults faults;

    BackEdgeLint(Source source, Faults faults) {
        this.source = source;
        this.faults = faults;
    }

    void run() {
        Set<StateDef> done = new HashSet<>();
        for (Region region : source.regions()) {
            StateDef start = region.states().get(region.start());
            if (start != null && !done.contains(start)) {
                search(start, done);
            }
        }
    }

    /** Depth first without recursion; a transition to a state on the path is a way back. */
    private void search(StateDef start, Set<StateDef> done) {
        Map<StateDef, Iterator<Transition>> path = new LinkedHashMap<>();
        Deque<StateDef> stack = new ArrayDeque<>();
        path.put(start, start.transitions().iterator());
        stack.push(start);
        while (!stack.isEmpty()) {
            StateDef at = stack.element();
            Iterator<Transition> rest =
                    path.getOrDefault(at, List.<Transition>of().iterator());
            if (!rest.hasNext()) {
                path.remove(at);
                done.add(stack.pop());
                continue;
            }
            Transition way = rest.next();
            StateDef to = way.to().flatMap(at.region()::find).orElse(null);
            if (to == null) {
                continue;
            }
            if (path.containsKey(to)) {
                List<StateDef> circle = new ArrayList<>(path.keySet());
                judge(way, to, circle.subList(circle.indexOf(to), circle.size()));
            } else if (!done.contains(to)) {
                path.put(to, to.transitions().iterator());
                stack.push(to);
            }
        }
    }

    private void judge(Transition way, StateDef to, List<StateDef> circle) {
        for (StateDef state : circle) {
            if (Steps.of(state).stream().anyMatch(Steps::isIrreversible)) {
                faults.add(
                        Lint.UNSAFE_BACK_EDGE,
                        way.pointer(),
                        "going back to " + Quoted.text(to.name()) + " repeats what " + Quoted.text(state.name())
                                + " does, and nothing undoes it",
                        "give its tasks a compensation, or \"sideEffects\": false if repeating them does no harm");
                return;
            }
        }
        boolean waits = circle.stream()
                .anyMatch(it -> WAITING.contains(it.body()) || it.at().has("recheck"));
        boolean works = circle.stream().anyMatch(it -> !Steps.of(it).isEmpty());
        if (!waits && !works) {
            faults.add(
                    Lint.UNSAFE_BACK_EDGE,
                    way.pointer(),
                    "nothing waits on the way back to " + Quoted.text(to.name())
                            + ": the run can go round until it is stopped as a runaway loop",
                    "let it wait: for a time, a signal, or people");
        }
    }
}
