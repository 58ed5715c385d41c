package dev.flowstone.kernel.decision;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.command.Setting;
import dev.flowstone.kernel.expression.Expressions;
import dev.flowstone.kernel.expression.Fact;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.policy.Policies;
import dev.flowstone.kernel.schedule.ScheduleFault;
import dev.flowstone.kernel.schedule.ScheduleField;
import dev.flowstone.kernel.schedule.Schedules;
import java.util.Map;
import java.util.Optional;

/**
 * What a decision may use besides the run's state: pure evaluators, facts fetched so far, tenant variables, bounds.
 *
 * @param schedules reads the schedules of timers
 * @param policies evaluate published bundles
 * @param vars the tenant's variables
 * @param birth the setting of its scope under which a run begins that begins in this decision (R25)
 */
public record Env(
        Expressions expressions,
        Schedules schedules,
        Policies policies,
        Map<Fact, JsonValue> facts,
        JsonObject vars,
        Bounds bounds,
        Optional<Setting> birth) {
    /** Reads none: a timer with a schedule fails. */
    public static final Schedules NO_SCHEDULES = (expression, _) -> new Schedules.Refused(new ScheduleFault(
            ScheduleField.EXPRESSION, "there is nobody who reads schedules", "timers without a schedule"));

    public Env {
        requireNonNull(expressions);
        requireNonNull(schedules);
        requireNonNull(policies);
        facts = Map.copyOf(facts);
        requireNonNull(vars);
        requireNonNull(bounds);
        requireNonNull(birth);
    }

    /** One in which runs are born under no setting. */
    public Env(
            Expressions expressions,
            Schedules schedules,
            Policies policies,
            Map<Fact, JsonValue> facts,
            JsonObject vars,
            Bounds bounds) {
        this(expressions, schedules, policies, facts, vars, bounds, Optional.empty());
    }

    /** One whose policies are ordered rules. */
    public Env(
            Expressions expressions, Schedules schedules, Map<Fact, JsonValue> facts, JsonObject vars, Bounds bounds) {
        this(expressions, schedules, Policies.BUILT_IN, facts, vars, bounds);
    }

    /** One that reads no schedules. */
    public Env(Expressions expressions, Map<Fact, JsonValue> facts, JsonObject vars, Bounds bounds) {
        this(expressions, NO_SCHEDULES, facts, vars, bounds);
    }

    /** The same with the facts that were asked for. */
    public Env with(Map<Fact, JsonValue> fetched) {
        return new Env(expressions, schedules, policies, fetched, vars, bounds, birth);
    }

    /** The same for a run that begins under that setting. */
    public Env bornUnder(Optional<Setting> setting) {
        return new Env(expressions, schedules, policies, facts, vars, bounds, setting);
    }
}
