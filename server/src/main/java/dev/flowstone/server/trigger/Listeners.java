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
import dev.flowstone.triggers.event.NamePattern;
import java.lang.System.Logger.Level;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.Stream;

/** Event triggers as they were at one moment, and which of them want an event. Immutable. */
public final class Listeners {
    static final Listeners NONE = of(List.of());

    private static final System.Logger LOG = System.getLogger(Listeners.class.getName());

    /** The log tells of each once. */
    private static final Set<String> UNREADABLE = ConcurrentHashMap.newKeySet();

    private final Map<TenantId, Wishes> engines = new HashMap<>();
    private final Map<TenantId, Wishes> external = new HashMap<>();
    private final Map<TriggerKey, Trigger> all = new HashMap<>();

    private Listeners(List<Listening> found) {
        for (Listening listening : found) {
            try {
                EventRules rules = EventRules.of(listening.trigger().config());
                (rules.source() == EventSource.ENGINE ? engines : external)
                        .computeIfAbsent(listening.trigger().key().tenant(), _ -> new Wishes())
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

        boolean admits(Seen event) {
            return rules.admitsOfEngine(event.type(), event.workflow(), event.run()) && !isOfItsOwn(event.workflow());
        }

        /** Of what it starts itself only who asks for that hears: each execution would start as many as it has events. */
        private boolean isOfItsOwn(String workflow) {
            return rules.workflows().isEmpty()
                    && workflow.equals(trigger().target().workflow().value());
        }
    }

    /** What triggers look at of one of the engine's events, as text. */
    private record Seen(String type, String workflow, String run) {
        static Seen of(Event event) {
            return new Seen(
                    CloudEventJson.type(event),
                    event.header().workflow().value(),
                    event.header().run().toString());
        }
    }

    /** Triggers of one tenant: those that name types are asked for events of these types alone. */
    private static final class Wishes {
        private final List<One> all = new ArrayList<>();
        private final Map<String, List<One>> named = new HashMap<>();

        /** Those with a type that stands for several. */
        private final List<One> wide = new ArrayList<>();

        void add(One one) {
            all.add(one);
            if (one.rules().types().stream().anyMatch(NamePattern::isWide)) {
                wide.add(one);
            } else {
                one.rules().types().stream()
                        .distinct()
                        .forEach(type -> named.computeIfAbsent(type.text(), _ -> new ArrayList<>())
                                .add(one));
            }
        }

        List<One> all() {
            return all;
        }

        /** Those that may want events of a type. */
        Stream<One> of(String type) {
            return Stream.concat(named.getOrDefault(type, List.of()).stream(), wide.stream());
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
                .flatMap(wishes -> wishes.all().stream())
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
        Wishes wishes = engines.get(event.header().tenant());
        if (wishes == null) {
            return List.of();
        }
        Seen seen = Seen.of(event);
        return wishes.of(seen.type())
                .filter(one -> one.listening().since(stream) < row)
                .filter(one -> one.admits(seen))
                .map(One::trigger)
                .filter(Trigger::fires)
                .toList();
    }

    /** Those of a tenant that want one that somebody has sent. */
    public List<Trigger> of(TenantId tenant, CloudEvent event) {
        Wishes wishes = external.get(tenant);
        if (wishes == null) {
            return List.of();
        }
        return wishes.of(event.type())
                .filter(one -> one.rules().admits(event))
                .map(One::trigger)
                .filter(Trigger::fires)
                .toList();
    }
}
