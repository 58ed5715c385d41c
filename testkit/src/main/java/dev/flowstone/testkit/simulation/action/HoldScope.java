package dev.flowstone.testkit.simulation.action;

import dev.flowstone.engine.control.ScopeSetting;
import dev.flowstone.engine.control.SettingLog;
import dev.flowstone.engine.control.SettingRequest;
import dev.flowstone.engine.control.SettingScope;
import dev.flowstone.engine.control.Settings;
import dev.flowstone.engine.journal.JournalException;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.testkit.simulation.world.Dice;
import dev.flowstone.testkit.simulation.world.RunLog;
import dev.flowstone.testkit.simulation.world.World;
import java.time.Duration;
import java.util.List;

/**
 * An operator holds all runs of a workflow, of the tenant or of the system, or lets them go, at a node of another database
 * client: every node of the simulation learns of it by reading. In two of five seeds.
 */
final class HoldScope implements Action {
    private static final Actor OPERATOR = new Actor("user", "operator");

    @Override
    public int weight() {
        return 6;
    }

    @Override
    public boolean happen(World world, Dice dice) {
        if (world.runs().isEmpty() || !new Dice(world.seed(), "scopes").percent(42)) {
            return false;
        }
        try {
            Settings settings = world.database().ports().settings();
            List<ScopeSetting> inForce = List.copyOf(
                    SettingLog.EMPTY.with(settings.after(0, Integer.MAX_VALUE)).inForce());
            settings.append(
                    !inForce.isEmpty() && dice.percent(55)
                            ? SettingRequest.resume(dice.pick(inForce).scope(), "go on", OPERATOR)
                            : held(world, dice));
            return true;
        } catch (JournalException e) {
            throw new IllegalStateException("settings in memory can't fail", e);
        }
    }

    private static SettingRequest held(World world, Dice dice) {
        SettingScope scope = scope(world, dice);
        if (dice.percent(20)) {
            return SettingRequest.resume(scope, "go on", OPERATOR);
        }
        return dice.percent(65)
                ? SettingRequest.suspend(scope, Operators.policy(dice), "stop all", OPERATOR)
                : SettingRequest.drain(
                        scope,
                        Operators.policy(dice),
                        Duration.ofSeconds(dice.between(0, 300)),
                        "come to rest",
                        OPERATOR);
    }

    private static SettingScope scope(World world, Dice dice) {
        if (dice.percent(20)) {
            return new SettingScope.Everything();
        }
        if (dice.percent(30)) {
            return new SettingScope.Tenant(World.TENANT);
        }
        RunLog log = dice.pick(world.runs());
        return new SettingScope.Workflow(World.TENANT, log.state().program().workflow());
    }
}
