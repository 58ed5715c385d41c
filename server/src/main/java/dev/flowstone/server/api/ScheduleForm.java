package dev.flowstone.server.api;

import dev.flowstone.engine.trigger.Trigger;
import dev.flowstone.kernel.schedule.Schedule;
import dev.flowstone.server.http.Fields;
import dev.flowstone.server.http.ProblemException;
import dev.flowstone.triggers.schedule.MissedFire;
import dev.flowstone.triggers.schedule.ScheduleRules;
import java.time.ZoneId;
import java.util.Optional;
import java.util.Set;

/** What a body says of a schedule. */
final class ScheduleForm {
    private static final int CRON = 1_000;
    private static final int NAME = 100;
    private static final Set<String> MEMBERS =
            Set.of(ScheduleRules.CRON, ScheduleRules.ZONE, ScheduleRules.POLICY, ScheduleRules.MAX_MISSED);

    private ScheduleForm() {}

    /** @param there whose what is left out stays, if it can be read here; empty for a new one */
    static ScheduleRules rules(Fields config, Optional<Trigger> there) throws ProblemException {
        config.only(MEMBERS);
        Optional<ScheduleRules> now = there.flatMap(it -> StoredConfig.of(it, ScheduleRules::of));
        Schedule schedule = config.meaning(ScheduleRules.CRON, CRON, ScheduleRules::schedule)
                .or(() -> now.map(ScheduleRules::schedule))
                .orElseThrow(() -> config.missing(ScheduleRules.CRON));
        ZoneId zone = config.meaning(ScheduleRules.ZONE, NAME, ScheduleRules::zone)
                .or(() -> now.map(ScheduleRules::zone))
                .or(() -> there.isEmpty() ? Optional.of(ZoneId.of(ScheduleRules.USUAL_ZONE)) : Optional.empty())
                .orElseThrow(() -> config.missing(ScheduleRules.ZONE));
        MissedFire missed = config.meaning(ScheduleRules.POLICY, NAME, ScheduleForm::policy)
                .or(() -> now.map(ScheduleRules::missed))
                .orElse(MissedFire.SKIP);
        Optional<Integer> most = config.number(ScheduleRules.MAX_MISSED, 1, ScheduleRules.MOST_MISSED);
        if (most.isPresent() && missed != MissedFire.ALL) {
            throw config.wrong(
                    ScheduleRules.MAX_MISSED,
                    "'" + ScheduleRules.MAX_MISSED + "' is of the policy " + MissedFire.ALL.word(),
                    "leave it out, or choose that policy");
        }
        return new ScheduleRules(
                schedule,
                zone,
                missed,
                most.or(() -> now.map(ScheduleRules::maxMissed)).orElse(ScheduleRules.USUAL_MISSED));
    }

    private static MissedFire policy(String word) {
        return MissedFire.of(word)
                .orElseThrow(() ->
                        new IllegalArgumentException("'" + ScheduleRules.POLICY + "' takes skip, fireOnce or fireAll"));
    }
}
