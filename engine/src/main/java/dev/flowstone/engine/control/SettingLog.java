package dev.flowstone.engine.control;

import dev.flowstone.kernel.command.HoldPolicy;
import dev.flowstone.kernel.command.Setting;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.kernel.state.RunState;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;

/**
 * Every change of a setting up to a number. The narrowest scope that has a setting governs: workflow before tenant before
 * system. Immutable, but for what it remembers of its own answers.
 */
public final class SettingLog {
    /** Nothing was ever set. */
    public static final SettingLog EMPTY = new SettingLog(List.of());

    private static final int REMEMBERED = 10_000;

    private final List<ScopeSetting> rows;
    private final Map<SettingScope.Workflow, List<Setting>> timelines = new ConcurrentHashMap<>();

    private SettingLog(List<ScopeSetting> rows) {
        this.rows = rows;
    }

    /** The same with the rows that follow. */
    public SettingLog with(List<ScopeSetting> next) {
        if (next.isEmpty()) {
            return this;
        }
        List<ScopeSetting> all = new ArrayList<>(rows);
        for (ScopeSetting row : next) {
            if (row.number() != all.size() + 1) {
                throw new IllegalStateException("setting " + row.number() + " follows " + all.size());
            }
            all.add(row);
        }
        return new SettingLog(List.copyOf(all));
    }

    public boolean isEmpty() {
        return rows.isEmpty();
    }

    /** The number of its last row; 0 if it is empty. */
    public long newest() {
        return rows.size();
    }

    /** The row with this number. */
    public ScopeSetting row(long number) {
        return rows.get(Math.toIntExact(number - 1));
    }

    /** All rows, the oldest first. */
    public List<ScopeSetting> rows() {
        return rows;
    }

    /** The scopes that have a setting of their own, by tenant and workflow, the system first. */
    public Collection<ScopeSetting> inForce() {
        Map<String, ScopeSetting> newest = new TreeMap<>();
        for (ScopeSetting row : rows) {
            String key = row.scope().tenantId().map(TenantId::value).orElse("") + "\n"
                    + row.scope().workflowId().map(WorkflowId::value).orElse("");
            if (row.mode() == SettingMode.CLEAR) {
                newest.remove(key);
            } else {
                newest.put(key, row);
            }
        }
        return List.copyOf(newest.values());
    }

    /** The changes of what governs a workflow's runs, the oldest first; the last one is in force. */
    public List<Setting> timeline(TenantId tenant, WorkflowId workflow) {
        SettingScope.Workflow key = new SettingScope.Workflow(tenant, workflow);
        List<Setting> known = timelines.get(key);
        if (known != null) {
            return known;
        }
        if (timelines.size() >= REMEMBERED) {
            timelines.clear();
        }
        List<Setting> made = List.copyOf(changes(key));
        timelines.put(key, made);
        return made;
    }

    private List<Setting> changes(SettingScope.Workflow of) {
        List<Setting> changes = new ArrayList<>();
        @Nullable ScopeSetting[] widest = new ScopeSetting[3];
        @Nullable ScopeSetting governing = null;
        for (ScopeSetting row : rows) {
            if (!row.scope().contains(of)) {
                continue;
            }
            widest[depth(row.scope())] = row.mode() == SettingMode.CLEAR ? null : row;
            @Nullable ScopeSetting now = widest[2] != null ? widest[2] : widest[1] != null ? widest[1] : widest[0];
            boolean holds = now != null && now.mode().holds();
            boolean held = governing != null && governing.mode().holds();
            // Two that both hold nothing are one; a suspension that is asked for again is a new one.
            if ((holds || held) && !Objects.equals(governing, now)) {
                changes.add(change(row, holds ? now : null));
            }
            governing = now;
        }
        return changes;
    }

    private static int depth(SettingScope scope) {
        return switch (scope) {
            case SettingScope.Everything _ -> 0;
            case SettingScope.Tenant _ -> 1;
            case SettingScope.Workflow _ -> 2;
        };
    }

    /** What governs since a row; a drain that a narrower scope's setting hid has what is left of its time. */
    private static Setting change(ScopeSetting since, @Nullable ScopeSetting by) {
        if (by == null) {
            return new Setting(
                    since.number(),
                    since.at(),
                    Setting.Mode.GO,
                    HoldPolicy.DEFAULT,
                    Duration.ZERO,
                    since.reason(),
                    since.scope().text());
        }
        Duration gone = Duration.between(by.at(), since.at());
        boolean over = gone.compareTo(by.timeToLive()) >= 0;
        return new Setting(
                since.number(),
                since.at(),
                by.mode() == SettingMode.DRAIN ? Setting.Mode.DRAIN : Setting.Mode.SUSPEND,
                by.policy(),
                over ? Duration.ZERO : by.timeToLive().minus(gone),
                by.reason(),
                by.scope().text());
    }

    /** What is in force for a workflow's runs, unless they may go on. */
    public Optional<Setting> holding(TenantId tenant, WorkflowId workflow) {
        if (rows.isEmpty()) {
            return Optional.empty();
        }
        List<Setting> timeline = timeline(tenant, workflow);
        return timeline.isEmpty() || timeline.getLast().mode() == Setting.Mode.GO
                ? Optional.empty()
                : Optional.of(timeline.getLast());
    }

    /**
     * What a run has yet to record. A run that never recorded any has gone on past those that were over before its last
     * event, or was born after them.
     */
    public List<Setting> unheeded(RunState state) {
        if (rows.isEmpty() || state.lastSequence() == 0 || !state.heeds()) {
            return List.of();
        }
        List<Setting> timeline = timeline(state.tenant(), state.program().workflow());
        if (timeline.isEmpty() || timeline.getLast().number() <= state.heeded()) {
            return List.of();
        }
        int from = state.heeded() == 0 ? past(timeline, state.lastEventTime()) : known(timeline, state.heeded());
        return timeline.subList(from, timeline.size());
    }

    /** Whether a run is to stand still because of something that it has yet to record. */
    public boolean suspends(RunState state) {
        List<Setting> unheeded = unheeded(state);
        return !unheeded.isEmpty() && unheeded.getLast().mode() == Setting.Mode.SUSPEND;
    }

    private static int past(List<Setting> timeline, Instant lastEvent) {
        for (int i = timeline.size(); i > 0; i--) {
            Setting setting = timeline.get(i - 1);
            if (setting.mode() == Setting.Mode.GO && !setting.at().isAfter(lastEvent)) {
                return i;
            }
        }
        return 0;
    }

    private static int known(List<Setting> timeline, long heeded) {
        int from = timeline.size();
        while (from > 0 && timeline.get(from - 1).number() > heeded) {
            from--;
        }
        return from;
    }
}
