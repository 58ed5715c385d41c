package dev.flowstone.engine.control;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.command.HoldPolicy;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;

/** What an operator asks of a scope. */
public record SettingRequest(
        SettingScope scope, Verb verb, HoldPolicy policy, Duration timeToLive, String reason, Actor actor) {
    /** What may be asked. */
    public enum Verb {
        SUSPEND,
        DRAIN,
        RESUME
    }

    public SettingRequest {
        requireNonNull(scope);
        requireNonNull(verb);
        requireNonNull(policy);
        requireNonNull(timeToLive);
        requireNonNull(reason);
        requireNonNull(actor);
        if (timeToLive.isNegative()) {
            throw new IllegalArgumentException("a time to live is not negative");
        }
    }

    public static SettingRequest suspend(SettingScope scope, HoldPolicy policy, String reason, Actor actor) {
        return new SettingRequest(scope, Verb.SUSPEND, policy, Duration.ZERO, reason, actor);
    }

    public static SettingRequest drain(
            SettingScope scope, HoldPolicy policy, Duration timeToLive, String reason, Actor actor) {
        return new SettingRequest(scope, Verb.DRAIN, policy, timeToLive, reason, actor);
    }

    public static SettingRequest resume(SettingScope scope, String reason, Actor actor) {
        return new SettingRequest(scope, Verb.RESUME, HoldPolicy.DEFAULT, Duration.ZERO, reason, actor);
    }

    /**
     * The rows that it makes, for whoever stores them while nobody else can; none if nothing would change. A scope that is
     * resumed under a wider one that is held goes on by a word of its own; such words of narrower scopes are taken back
     * when nothing wider holds them any more.
     *
     * @param newest the newest row of each scope
     * @param first the number of the first row
     */
    public List<ScopeSetting> rows(Collection<ScopeSetting> newest, long first, Instant at) {
        Map<SettingScope, ScopeSetting> known = new LinkedHashMap<>();
        newest.forEach(row -> known.put(row.scope(), row));
        List<ScopeSetting> rows = new ArrayList<>(1);
        SettingMode mode = mode(known);
        if (verb == Verb.RESUME && mode == own(known, scope)) {
            return List.of();
        }
        ScopeSetting made = row(scope, mode, first, at);
        known.put(scope, made);
        rows.add(made);
        if (verb == Verb.RESUME) {
            known.values().stream()
                    .filter(row -> row.mode() == SettingMode.GO
                            && !row.scope().equals(scope)
                            && scope.contains(row.scope())
                            && !isHeldFromAbove(known, row.scope()))
                    .sorted(Comparator.comparing(row -> order(row.scope())))
                    .forEach(row -> rows.add(row(row.scope(), SettingMode.CLEAR, first + rows.size(), at)));
        }
        return rows;
    }

    private static String order(SettingScope scope) {
        return scope.tenantId().map(id -> id.value()).orElse("") + "/"
                + scope.workflowId().map(id -> id.value()).orElse("");
    }

    private SettingMode mode(Map<SettingScope, ScopeSetting> known) {
        return switch (verb) {
            case SUSPEND -> SettingMode.SUSPEND;
            case DRAIN -> SettingMode.DRAIN;
            case RESUME -> isHeldFromAbove(known, scope) ? SettingMode.GO : SettingMode.CLEAR;
        };
    }

    private static SettingMode own(Map<SettingScope, ScopeSetting> known, SettingScope scope) {
        ScopeSetting row = known.get(scope);
        return row == null ? SettingMode.CLEAR : row.mode();
    }

    /** Whether the nearest wider scope that has a setting holds it. */
    private static boolean isHeldFromAbove(Map<SettingScope, ScopeSetting> known, SettingScope scope) {
        if (scope instanceof SettingScope.Workflow workflow) {
            SettingMode tenant = own(known, new SettingScope.Tenant(workflow.tenant()));
            if (tenant != SettingMode.CLEAR) {
                return tenant.holds();
            }
        }
        return !(scope instanceof SettingScope.Everything)
                && own(known, new SettingScope.Everything()).holds();
    }

    private ScopeSetting row(SettingScope of, SettingMode mode, long number, Instant at) {
        return new ScopeSetting(
                number, at, of, mode, policy, mode == SettingMode.DRAIN ? timeToLive : Duration.ZERO, reason, actor);
    }
}
