package dev.flowstone.kernel.story;

import dev.flowstone.kernel.id.ScopeId;
import dev.flowstone.kernel.json.JsonArray;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonString;
import dev.flowstone.kernel.program.Branches;
import dev.flowstone.kernel.program.JoinPolicy;
import dev.flowstone.kernel.program.Node.Join.Losers;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.ProgramCheck;
import dev.flowstone.kernel.program.ProgramFault;
import dev.flowstone.kernel.program.Retry;
import dev.flowstone.kernel.program.Routing;
import dev.flowstone.kernel.program.Scope;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.Random;
import java.util.Set;

/** Small programs full of forks: in both kinds of scopes, in each other, with exits, slots, losers of every kind. */
final class RandomForks {
    private static final int DEPTH = 3;
    private static final List<Losers> LOSERS = List.of(Losers.values());

    private final Random random;
    private final Programs out;
    private final Map<String, Branches> opened = new HashMap<>();
    private int names;

    private RandomForks(Random random, Programs out) {
        this.random = random;
        this.out = out;
    }

    static Program next(Random random) {
        boolean settling = random.nextBoolean();
        Programs out = settling ? Programs.dag() : Programs.flow();
        RandomForks forks = new RandomForks(random, out);
        List<Level> levels = new ArrayList<>();
        String entry = forks.body("root", settling, 0, levels);
        Program program = out.edge("start", entry).build();
        for (ProgramFault fault : ProgramCheck.faults(program)) {
            if (fault.code() != ProgramFault.Code.UNREACHABLE) {
                throw new AssertionError("the generator made a faulty program: " + fault);
            }
        }
        return program;
    }

    /** A node, or a fork and its join, or a slot and its way out, in one scope. */
    private record Unit(String entry, String leave, Kind kind) {}

    private enum Kind {
        TASK,
        FORK,
        END,
        SLOT,
        CHOICE
    }

    /** A scope around the one at hand: where exits may lead. */
    private record Level(boolean settling, List<Unit> units, int at, String join) {}

    private String body(String scope, boolean settling, int depth, List<Level> around) {
        List<Unit> units = new ArrayList<>();
        int size = 1 + random.nextInt(4);
        for (int i = 0; i < size; i++) {
            units.add(unit(settling, depth, i == 0));
        }
        for (int i = 0; i < size; i++) {
            Unit unit = units.get(i);
            if (unit.kind() == Kind.FORK) {
                List<Level> inside = new ArrayList<>(around);
                inside.add(new Level(settling, units, i, unit.leave()));
                branches(unit, depth, inside);
            } else if (unit.kind() == Kind.SLOT) {
                slot(unit, scope, units, around);
            }
        }
        out.in(scope);
        ways(units, settling, around);
        return units.getFirst().entry();
    }

    private Unit unit(boolean settling, int depth, boolean first) {
        String id = "n" + names++;
        int die = random.nextInt(10);
        if (depth < DEPTH && die < 4 && names < 40) {
            return fork(id);
        }
        if (!first && die == 4) {
            out.end(id, random.nextInt(4) == 0 ? Outcome.FAILURE : Outcome.SUCCESS, random.nextInt(4) == 0);
            return new Unit(id, id, Kind.END);
        }
        if (!first && !settling && die == 5) {
            return new Unit(id + "a", id + "c", Kind.SLOT);
        }
        if (die == 6) {
            out.choice(id);
            return new Unit(id, id, Kind.CHOICE);
        }
        if (die == 7) {
            out.timer(id, random.nextBoolean() ? "PT0S" : "PT1M");
            return new Unit(id, id, Kind.CHOICE);
        }
        boolean all = settling && random.nextBoolean();
        Retry retry = random.nextInt(4) == 0 ? new Retry(2, Duration.ZERO, 1, Duration.ZERO, false) : Retry.NONE;
        JsonObject input = random.nextBoolean()
                ? JsonObject.builder().put("all", "{{context.data}}").build()
                : JsonObject.EMPTY;
        out.task(id, retry, input, settling || random.nextBoolean(), all ? Routing.ALL : Routing.FIRST);
        return new Unit(id, id, Kind.TASK);
    }

    private Unit fork(String id) {
        int count = random.nextInt(4);
        Branches branches;
        if (random.nextBoolean()) {
            List<Branches.Branch> named = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                named.add(new Branches.Branch("b" + i, new ScopeId(id + "b" + i)));
            }
            branches = new Branches.Static(named);
        } else {
            branches = new Branches.Each(
                    switch (random.nextInt(5)) {
                        case 0 -> new JsonString("{{trigger.none}}");
                        case 1 -> new JsonString("{{trigger.x}}");
                        case 2 -> new JsonArray(List.of(JsonNumber.of(1), JsonNumber.of(2)));
                        default -> new JsonString("{{trigger.items}}");
                    },
                    new ScopeId(id + "b0"),
                    1 + random.nextInt(4));
        }
        opened.put(id, branches);
        out.fork(id, id + "j", branches);
        JoinPolicy policy = switch (random.nextInt(6)) {
            case 0 -> new JoinPolicy.Count(1 + random.nextInt(2), Set.of());
            case 1 -> new JoinPolicy.Count(1, Set.of(Outcome.SUCCESS, Outcome.FAILURE, new Outcome("odd")));
            case 2 -> new JoinPolicy.Majority(Set.of());
            case 3 -> new JoinPolicy.Ended(1 + random.nextInt(2));
            default -> new JoinPolicy.All();
        };
        out.join(id + "j", policy, LOSERS.get(random.nextInt(LOSERS.size())));
        return new Unit(id, id + "j", Kind.FORK);
    }

    private void branches(Unit fork, int depth, List<Level> around) {
        Branches branches = Objects.requireNonNull(opened.get(fork.entry()));
        for (ScopeId id : branches.scopes()) {
            boolean settling = random.nextBoolean();
            Scope.FailurePolicy policy = switch (random.nextInt(4)) {
                case 0 -> Scope.FailurePolicy.FAIL;
                case 1 -> random.nextInt(3) == 0 ? Scope.FailurePolicy.PARK : Scope.FailurePolicy.FAIL;
                default -> Scope.FailurePolicy.ARRIVE;
            };
            out.branch(
                    id.value(), fork.entry(), fork.entry(), settling ? Scope.Kind.SETTLING : Scope.Kind.FLOW, policy);
            String begins = body(id.value(), settling, depth + 1, around);
            out.begins(id.value(), begins);
        }
    }

    /** Three nodes in a row or beside each other, left by a continuation, or by an exit. */
    private void slot(Unit unit, String scope, List<Unit> units, List<Level> around) {
        String middle = unit.entry() + "b";
        String next = around.isEmpty() || random.nextBoolean()
                ? units.getFirst().entry()
                : around.getLast().join();
        out.scope(
                "s" + unit.entry(),
                scope,
                Scope.Kind.SETTLING,
                unit.entry(),
                Optional.of(unit.leave()),
                Optional.of(unit.leave() + "->" + next));
        out.tasks(unit.entry(), middle, unit.leave());
        out.edge(unit.leave(), next);
        out.edge(unit.entry(), middle);
        out.edge(random.nextBoolean() ? unit.entry() : middle, unit.leave());
        if (random.nextBoolean()) {
            out.on(Outcome.FAILURE, middle, exit(unit, units, around));
        }
    }

    private String exit(Unit slot, List<Unit> units, List<Level> around) {
        List<String> targets = new ArrayList<>();
        for (Unit unit : units) {
            if (!unit.equals(slot)) {
                targets.add(unit.entry());
            }
        }
        outside(around, targets);
        return targets.get(random.nextInt(targets.size()));
    }

    /** Where an exit may lead: to what comes after the fork in a settling scope, anywhere in a flow scope, to a join. */
    private static void outside(List<Level> around, List<String> targets) {
        for (Level level : around) {
            targets.add(level.join());
            for (int i = level.settling() ? level.at() + 1 : 0;
                    i < level.units().size();
                    i++) {
                targets.add(level.units().get(i).entry());
            }
        }
    }

    private void ways(List<Unit> units, boolean settling, List<Level> around) {
        for (int to = 1; to < units.size() && settling; to++) {
            Unit from = units.get(random.nextInt(to));
            way(from.kind() == Kind.END ? units.getFirst() : from, units.get(to).entry());
        }
        for (int i = 0; i < units.size(); i++) {
            Unit from = units.get(i);
            if (from.kind() == Kind.END || from.kind() == Kind.SLOT) {
                continue;
            }
            List<String> targets = new ArrayList<>();
            for (int j = settling ? i + 1 : 0; j < units.size(); j++) {
                targets.add(units.get(j).entry());
            }
            List<String> outside = new ArrayList<>();
            outside(around, outside);
            if (!around.isEmpty()) {
                targets.add(around.getLast().join());
                targets.add(around.getLast().join());
            }
            int ways = random.nextInt(4);
            for (int way = 0; way < ways; way++) {
                boolean leaves = !outside.isEmpty() && random.nextInt(5) == 0;
                List<String> chosen = leaves ? outside : targets;
                if (!chosen.isEmpty()) {
                    way(from, chosen.get(random.nextInt(chosen.size())));
                }
            }
            if (from.kind() == Kind.FORK && random.nextInt(3) == 0 && !targets.isEmpty()) {
                out.on(Outcome.FAILURE, from.entry(), targets.get(random.nextInt(targets.size())));
            }
        }
    }

    private void way(Unit from, String to) {
        Outcome on = switch (random.nextInt(6)) {
            case 0 -> from.kind() == Kind.FORK ? Outcome.UNSATISFIED : Outcome.SUCCESS;
            case 1 -> Outcome.ALWAYS;
            case 2 -> from.kind() == Kind.TASK ? Outcome.FAILURE : Outcome.ALWAYS;
            default -> Outcome.SUCCESS;
        };
        Optional<String> when = switch (random.nextInt(6)) {
            case 0 -> Optional.of("trigger.x");
            case 1 -> Optional.of("index=1");
            default -> Optional.empty();
        };
        boolean otherwise = when.isEmpty() && random.nextInt(8) == 0;
        if (when.isEmpty() && !otherwise && random.nextInt(5) == 0) {
            out.arriving(on, from.leave(), to, new Outcome("odd"));
        } else {
            out.edge(from.leave(), to, on, when, otherwise, random.nextInt(3));
        }
    }
}
