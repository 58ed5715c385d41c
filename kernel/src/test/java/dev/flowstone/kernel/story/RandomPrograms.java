package dev.flowstone.kernel.story;

import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.program.Due;
import dev.flowstone.kernel.program.Outcome;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.ProgramCheck;
import dev.flowstone.kernel.program.ProgramFault;
import dev.flowstone.kernel.program.Retry;
import dev.flowstone.kernel.program.Routing;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Random;

/** Programs out of a seed: DAGs, and state machines with cycles, inner flow scopes, slots and exits. */
public final class RandomPrograms {
    private static final List<String> CONDITIONS = List.of("true", "false", "boom", "context.data.n1=1", "trigger.x");
    private static final List<String> DURATIONS = List.of("PT0S", "PT5S", "-PT1S", "{{context.data.n1}}", "nonsense");

    private final Random random;

    private RandomPrograms(Random random) {
        this.random = random;
    }

    public static Program next(Random random) {
        RandomPrograms programs = new RandomPrograms(random);
        Program program = random.nextBoolean() ? programs.dag() : programs.flow();
        for (ProgramFault fault : ProgramCheck.faults(program)) {
            if (fault.code() != ProgramFault.Code.UNREACHABLE) {
                throw new AssertionError("the generator made a faulty program: " + fault);
            }
        }
        return program;
    }

    private Program dag() {
        Programs out = deadline(Programs.dag());
        List<String> nodes = new ArrayList<>();
        body(out, "n", 1 + random.nextInt(12), nodes);
        out.edge("start", nodes.getFirst());
        return out.build();
    }

    /** An acyclic body of the scope at hand in which every node has a way in. */
    private void body(Programs out, String prefix, int size, List<String> nodes) {
        for (int i = 0; i < size; i++) {
            nodes.add(prefix + i);
            node(out, prefix + i, i > 0, true);
        }
        for (int to = 1; to < size; to++) {
            int ways = 1 + random.nextInt(3);
            for (int way = 0; way < ways; way++) {
                // No edge leaves an End; the first node is none.
                String from = nodes.get(random.nextInt(to));
                edge(out, isEnd(from) ? nodes.getFirst() : from, nodes.get(to));
            }
        }
    }

    private static final List<Due.Missed> MISSED = List.of(Due.Missed.ONCE, Due.Missed.ALL, Due.Missed.SKIP);

    private final List<String> ends = new ArrayList<>();
    private final List<String> timers = new ArrayList<>();

    private boolean isEnd(String node) {
        return ends.contains(node);
    }

    private void node(Programs out, String id, boolean mayBeEnd, boolean settling) {
        int die = random.nextInt(20);
        if (mayBeEnd && die == 0) {
            ends.add(id);
            Outcome outcome = random.nextInt(4) == 0 ? Outcome.FAILURE : Outcome.SUCCESS;
            out.end(id, outcome, random.nextInt(3) == 0);
        } else if (die == 3) {
            timers.add(id);
            Due.Missed missed = MISSED.get(random.nextInt(MISSED.size()));
            RecurringStoryTest.timer(
                    out,
                    id,
                    random.nextBoolean()
                            ? RecurringStoryTest.every("PT7S", missed)
                            : RecurringStoryTest.cron("12:30", "Europe/Berlin", missed));
        } else if (die < 4) {
            timers.add(id);
            out.timer(id, DURATIONS.get(random.nextInt(DURATIONS.size())));
        } else {
            boolean all = settling && random.nextInt(3) != 0;
            out.task(
                    id,
                    retry(),
                    input(),
                    random.nextInt(5) == 0,
                    settling || random.nextBoolean(),
                    all ? Routing.ALL : Routing.FIRST);
        }
    }

    private JsonObject input() {
        return random.nextInt(10) == 0
                ? JsonObject.builder().put("x", "{{context.data.n1}}").build()
                : JsonObject.builder().put("all", "{{context.data}}").build();
    }

    private Retry retry() {
        return switch (random.nextInt(3)) {
            case 0 -> Retry.NONE;
            case 1 -> new Retry(2, Duration.ZERO, 1, Duration.ZERO, false);
            default -> new Retry(3, Duration.ofSeconds(1), 2, Duration.ofMinutes(1), true);
        };
    }

    private void edge(Programs out, String from, String to) {
        Outcome on = switch (random.nextInt(8)) {
            case 0 -> Outcome.FAILURE;
            case 1 -> Outcome.ALWAYS;
            case 2 -> timers.contains(from) ? Outcome.SUCCESS : Outcome.TIMEOUT;
            default -> Outcome.SUCCESS;
        };
        boolean otherwise = random.nextInt(6) == 0;
        Optional<String> when = otherwise || random.nextInt(3) != 0
                ? Optional.empty()
                : Optional.of(CONDITIONS.get(random.nextInt(CONDITIONS.size())));
        out.edge(from, to, on, when, otherwise, random.nextInt(3));
    }

    private Programs deadline(Programs out) {
        return random.nextInt(4) == 0 ? out.deadline(Duration.ofMinutes(5)) : out;
    }

    private Program flow() {
        Programs out = deadline(Programs.flow());
        List<String> nodes = new ArrayList<>();
        int size = 2 + random.nextInt(5);
        for (int i = 0; i < size; i++) {
            nodes.add("n" + i);
            node(out, "n" + i, i > 0, false);
        }
        List<String> targets = new ArrayList<>(nodes);
        int slots = random.nextInt(3);
        for (int slot = 0; slot < slots; slot++) {
            targets.add(slot(out, "s" + slot, nodes));
        }
        if (random.nextBoolean()) {
            out.flowScope("inner", "root", "f0");
            node(out, "f0", false, false);
            node(out, "f1", true, false);
            edge(out, "f0", "f1");
            edge(out, "f0", nodes.getFirst());
            targets.add("f0");
        }
        out.edge("start", nodes.getFirst());
        for (String from : nodes) {
            int ways = isEnd(from) ? 0 : 1 + random.nextInt(3);
            for (int way = 0; way < ways; way++) {
                edge(out, from, targets.get(random.nextInt(targets.size())));
            }
        }
        return out.build();
    }

    private String slot(Programs out, String name, List<String> around) {
        List<String> inside = new ArrayList<>();
        int size = 1 + random.nextInt(5);
        String exit = around.get(random.nextInt(around.size()));
        int outNode = random.nextInt(size);
        String last = name + "n" + outNode;
        out.settlingScope(name, name + "n0", last, exit);
        body(out, name + "n", size, inside);
        if (isEnd(last)) {
            // An End can't go on; give the slot another way out.
            last = name + "n0";
        }
        out.wayOut(name, last, exit);
        out.edge(last, exit);
        for (String node : inside) {
            if (!isEnd(node) && random.nextInt(4) == 0) {
                edge(out, node, around.get(random.nextInt(around.size())));
            }
        }
        out.inRoot();
        return name + "n0";
    }
}
