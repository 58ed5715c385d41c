package dev.flowstone.server.trigger;

import dev.flowstone.engine.trigger.EventTriggers.Listening;
import dev.flowstone.engine.trigger.Trigger;
import dev.flowstone.engine.trigger.TriggerKey;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.server.stream.CloudEventJson;
import dev.flowstone.triggers.event.CloudEvent;
import dev.flowstone.triggers.event.EventRules;
import dev.flowstone.triggers.event.EventSource;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/** Event triggers as they were at one moment, and which of them want an event. Immutable. */
public final class Listeners {
    static final Listeners NONE = of(List.of());

    private static final System.Logger LOG = System.getLogger(Listeners.class.getName());

    /** The log tells of each once. */
    private static final Set<String> UNREADABLE = ConcurrentHashMap.newKeySet();

    private final Map<TenantId, List<One>> engines = new HashMap<>();
    private final Map<TenantId, List<One>> external = new HashMap<>();
    private final Map<TriggerKey, Trigger> all = new HashMap<>();

    private Listeners(List<Listening> found) {
        for (Listening listening : found) {
            try {
                EventRules rules = EventRules.of(listening.trigger().config());
                (rules.source() == EventSource.ENGINE ? engines : external)
                        .computeIfAbsent(listening.trigger().key().tenant(), _ -> new ArrayList<>())
                        .add(new One(listening, rules));
                all.put(listening.trigger().key(), listening.trigger());
            } catch (IllegalArgumentException e) {
                Trigger trigger = listening.trigger();
                if (UNREADABLE.add(trigger.key().id() + " " + trigger.revision())) {
                    LOG.log(Level.ERROR, "trigger " + trigger.key().id() + " starts nothing: " + e.getMessage());
                }
            }
        }
    }

    private record One(Listening listening, EventRules rules) {
        Trigger trigger() {
            return listening.trigger();
        }

        boolean admits(Event event) {
            String workflow = event.header().workflow().value();
            return rules.admitsOfEngine(
                            CloudEventJson.type(event),
                            workflow,
                            event.header().run().toString())
                    && !isOfItsOwn(workflow);
        }

        /** Of what it starts itself only who asks for that hears: each execution would start as many as it has events. */
        private boolean isOfItsOwn(String workflow) {
            return rules.workflows().isEmpty()
                    && workflow.equals(trigger().target().workflow().value());
        }
    }

    /** All that there are. */
    public static Listeners of(List<Listening> all) {
        return new Listeners(all);
    }

    /** Whether none wants the engine's events. */
    boolean isIdle() {
        return engines.isEmpty();
    }

    /** One as it is among these, if it is and fires. */
    Optional<Trigger> find(TriggerKey key) {
        return Optional.ofNullable(all.get(key)).filter(Trigger::fires);
    }

    /** Whether any wants events of this tenant's executions. */
    boolean concern(TenantId tenant) {
        return engines.containsKey(tenant);
    }

    /** The row of a stream up to which none listens. */
    long since(int stream) {
        return engines.values().stream()
                .flatMap(List::stream)
                .mapToLong(one -> one.listening().since(stream))
                .min()
                .orElse(0);
    }

    /**
     * Those that want one of the engine's.
     *
     * @param row of the stream in which it stands
     */
    List<Trigger> of(Event event, int stream, long row) {
        return engines.getOrDefault(event.header().tenant(), List.of()).stream()
                .filter(one -> one.listening().since(stream) < row)
                .filter(one -> one.admits(event))
                .map(One::trigger)
                .filter(Trigger::fires)
                .toList();
    }

    /** Those of a tenant that want one that somebody has sent. */
    public List<Trigger> of(TenantId tenant, CloudEvent event) {
        return external.getOrDefault(tenant, List.of()).stream()
                .filter(one -> one.rules().admits(event))
                .map(One::trigger)
                .filter(Trigger::fires)
                .toList();
    }
}
