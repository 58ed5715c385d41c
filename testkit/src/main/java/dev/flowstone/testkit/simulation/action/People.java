package dev.flowstone.testkit.simulation.action;

import dev.flowstone.engine.call.CallRequest;
import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.Party;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.event.HumanEvent;
import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.state.Assignee;
import dev.flowstone.kernel.state.OpenHumanTask;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.SimulatedNode;
import dev.flowstone.testkit.simulation.world.World;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Those who are asked, and how they ask. */
public final class People {
    private People() {}

    /** A human task that was opened: mostly one that is open, sometimes one that is settled long since. */
    record Asked(RunLog log, ActivationId activation) {}

    static Optional<Asked> any(World world, Dice dice) {
        List<Asked> open = new ArrayList<>();
        List<Asked> all = new ArrayList<>();
        for (RunLog log : world.runs()) {
            for (OpenHumanTask task : log.state().humanTasks()) {
                open.add(new Asked(log, task.task().activation()));
            }
            log.events().forEach(event -> opened(event.body()).ifPresent(id -> all.add(new Asked(log, id))));
        }
        List<Asked> from = open.isEmpty() || dice.percent(15) ? all : open;
        return from.isEmpty() ? Optional.empty() : Optional.of(dice.pick(from));
    }

    private static Optional<ActivationId> opened(EventBody body) {
        return body instanceof HumanEvent.HumanTaskOpened opened ? Optional.of(opened.activation()) : Optional.empty();
    }

    /** One of few. */
    static Actor anybody(Dice dice) {
        return new Actor("user", "u" + dice.below(4));
    }

    /** Mostly one of those who are asked and have not decided, if it is a person. */
    static Actor likely(RunLog log, ActivationId task, Dice dice) {
        List<Assignee> people =
                log.state().humanTask(task).map(open -> open.task().undecided()).orElse(List.of()).stream()
                        .filter(one -> one.party().kind() == Party.Kind.USER)
                        .toList();
        return people.isEmpty() || dice.percent(20)
                ? anybody(dice)
                : new Actor("user", dice.pick(people).party().id());
    }

    static Set<String> roles(Dice dice) {
        return dice.percent(60) ? Set.of("r" + dice.below(2)) : Set.of("r0", "r1");
    }

    /** Goes from node to node until one doesn't say "busy" at once; some repeat it under its name. */
    public static boolean ask(World world, Dice dice, RunKey run, Command command, Actor actor) {
        CallRequest request = new CallRequest(
                run,
                command,
                List.of(),
                actor,
                Optional.empty(),
                dice.percent(40) ? Optional.of("call-" + dice.below(1_000_000)) : Optional.empty(),
                Sha256.digest(command.toString().getBytes(StandardCharsets.UTF_8)),
                "outside");
        List<SimulatedNode> up =
                world.nodes().stream().filter(SimulatedNode::runs).toList();
        int first = dice.below(1_000);
        boolean asked = false;
        for (int times = dice.percent(20) ? 2 : 1; times > 0; times--) {
            boolean heard = false;
            for (int i = 0; i < up.size() && !heard; i++) {
                heard = world.clients().call(up.get((first + i) % up.size()), request);
            }
            asked |= heard;
        }
        return asked;
    }
}
