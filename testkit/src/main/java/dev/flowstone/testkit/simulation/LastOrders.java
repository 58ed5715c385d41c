package dev.flowstone.testkit.simulation;

import dev.flowstone.engine.control.ScopeSetting;
import dev.flowstone.engine.control.SettingLog;
import dev.flowstone.engine.control.SettingRequest;
import dev.flowstone.engine.control.Settings;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.Command;
import dev.flowstone.kernel.command.ControlCommand;
import dev.flowstone.kernel.command.HumanCommand;
import dev.flowstone.kernel.command.TaskError;
import dev.flowstone.kernel.event.EventBody;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.payload.Payload;
import dev.flowstone.kernel.state.Attestation;
import dev.flowstone.kernel.state.Hold;
import dev.flowstone.kernel.state.Incident;
import dev.flowstone.testkit.simulation.action.People;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.World;
import java.util.HashSet;
import java.util.Optional;
import java.util.Set;

/** What operators do at the end of a seed: whatever is held goes on, incidents are resolved, every attestation is given. */
final class LastOrders {
    /** From this round on an incident is failed, for what is tried again or skipped may raise the next one. */
    private static final int PATIENCE = 6;

    /** Of the incidents that are raised while time goes on to the end, so many percent are met before a deadline meets them. */
    private static final int MET_EARLY = 55;

    private final World world;
    private final Set<String> considered = new HashSet<>();

    LastOrders(World world) {
        this.world = world;
    }

    /** Nothing is held as a whole any more; nodes learn of it by themselves. */
    void release() {
        try {
            Settings settings = world.database().ports().settings();
            SettingLog log = SettingLog.EMPTY.with(settings.after(0, Integer.MAX_VALUE));
            for (ScopeSetting setting : log.inForce()) {
                settings.append(SettingRequest.resume(setting.scope(), "at last", Actor.ENGINE));
            }
        } catch (JournalException e) {
            throw new IllegalStateException("settings in memory can't fail", e);
        }
    }

    /** Held by its scope: it goes on by itself, or never, which is what is to be found out. */
    private static boolean isHeldByItsScope(RunLog log) {
        return log.state().timers().stream().anyMatch(timer -> timer.purpose() == EventBody.TimerPurpose.HOLD);
    }

    /** Whether there was anything to do; {@code round} makes the requests of one round others than those before. */
    boolean give(int round) {
        Dice dice = new Dice(world.seed(), "orders", round);
        boolean given = false;
        for (RunLog log : world.runs()) {
            if (isHeldByItsScope(log)) {
                continue;
            }
            if (log.state().hold() == Hold.SUSPENDED) {
                given |= ask(dice, log, new ControlCommand.ResumeRun("at last"));
                continue;
            }
            for (Incident incident : log.state().incidents()) {
                given |= ask(dice, log, resolution(incident.sequence(), round, dice));
            }
            for (Attestation attestation : log.state().attestations()) {
                given |= ask(dice, log, new HumanCommand.Attest(attestation.id(), "at last"));
            }
        }
        return given;
    }

    /** Operators who are quick: each incident is theirs, or isn't, once. Whether they have decided any. */
    boolean giveEarly() {
        boolean given = false;
        for (RunLog log : world.runs()) {
            if (isHeldByItsScope(log) || log.state().hold() == Hold.SUSPENDED) {
                continue;
            }
            for (Incident incident : log.state().incidents()) {
                String name = log.run().run() + "/" + incident.sequence();
                Dice dice = new Dice(world.seed(), "early " + name, 0);
                if (considered.add(name) && dice.percent(MET_EARLY)) {
                    given |= ask(dice, log, resolution(incident.sequence(), 0, dice));
                }
            }
        }
        return given;
    }

    private boolean ask(Dice dice, RunLog log, Command command) {
        return People.ask(world, dice, log.run(), command, Actor.ENGINE);
    }

    private static Command resolution(long sequence, int round, Dice dice) {
        int die = round < PATIENCE ? dice.below(3) : 2;
        return switch (die) {
            case 0 -> new ControlCommand.RetryIncident(sequence, Optional.empty());
            case 1 -> new ControlCommand.SkipIncident(sequence, Payload.of(JsonNumber.of(1)));
            default -> new ControlCommand.FailIncident(sequence, TaskError.of("GIVEN_UP", "at last"));
        };
    }
}
