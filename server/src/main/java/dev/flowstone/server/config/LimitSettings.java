package dev.flowstone.server.config;

import dev.flowstone.engine.limit.ActionLimit;
import dev.flowstone.kernel.id.HandlerName;
import dev.flowstone.kernel.id.WorkflowId;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** Who does actions and how many at once, and which work gives way to other. */
final class LimitSettings {
    private static final SettingGroup GROUP = new SettingGroup();

    static final Setting<List<HandlerName>> WORKER_ACTIONS = GROUP.add(new Setting<>(
            "worker.actions",
            "names with commas between them",
            "",
            "actions that workers in other processes do, such as orders.charge,orders.ship",
            false,
            NameLists::actions));

    static final Setting<Map<String, Integer>> AT_ONCE = GROUP.add(Setting.byName(
            "limit.atOnce",
            "action=number pairs with commas between them",
            "attempts under way at once at one node, of an action or of a connector's, such as"
                    + " orders.charge=4,slack.*=20",
            NameLists::limited,
            Setting::positive));
    static final Setting<Map<String, Double>> PER_SECOND = GROUP.add(Setting.byName(
            "limit.perSecond",
            "action=rate pairs with commas between them",
            "attempts that begin at one node in a second, such as slack.*=50,bank.pay=0.5",
            NameLists::limited,
            Setting::limitingRate));

    static final Setting<Set<WorkflowId>> BULK = GROUP.add(new Setting<>(
            "work.bulk",
            "names with commas between them",
            "",
            "workflows that nobody waits for, such as nightly-import: theirs is every fourth turn while others wait",
            false,
            text -> NameLists.names(text).map(WorkflowId::new).collect(Collectors.toUnmodifiableSet())));

    private LimitSettings() {}

    /** In the order in which they are listed. */
    static List<Setting<?>> all() {
        return GROUP.all();
    }

    static List<ActionLimit> of(Sources sources) throws ConfigException {
        Map<String, Integer> atOnce = sources.value(AT_ONCE);
        Map<String, Double> rates = sources.value(PER_SECOND);
        return Stream.of(atOnce.keySet(), rates.keySet())
                .flatMap(Set::stream)
                .distinct()
                .map(actions ->
                        new ActionLimit(actions, atOnce.getOrDefault(actions, 0), rates.getOrDefault(actions, 0.0)))
                .toList();
    }
}
