package dev.flowstone.engine.task;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.HandlerName;
import java.util.Collections;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/** Every action that workflows may name, and the handlers of those that need one. Immutable. */
public final class HandlerRegistry {
    private final Map<HandlerName, ActionDescription> actions;
    private final Map<HandlerName, TaskHandler> handlers;
    private final Map<HandlerName, TransactionalHandler> transactional;
    private final Set<HandlerName> remote;
    private final Map<HandlerName, OneWayAction> oneWay;
    private final ActionSwitch switches;

    private HandlerRegistry(
            Map<HandlerName, ActionDescription> actions,
            Map<HandlerName, TaskHandler> handlers,
            Map<HandlerName, TransactionalHandler> transactional,
            Set<HandlerName> remote,
            Map<HandlerName, OneWayAction> oneWay,
            ActionSwitch switches) {
        this.actions = Collections.unmodifiableMap(new TreeMap<>(actions));
        this.handlers = Map.copyOf(handlers);
        this.transactional = Map.copyOf(transactional);
        this.remote = Set.copyOf(remote);
        this.oneWay = Map.copyOf(oneWay);
        this.switches = requireNonNull(switches);
    }

    public static Builder builder() {
        return new Builder();
    }

    public Optional<TaskHandler> handler(HandlerName name) {
        return Optional.ofNullable(handlers.get(name));
    }

    /** Of an action that works on its run's subject, in a transaction (R17). */
    public Optional<TransactionalHandler> transactional(HandlerName name) {
        return Optional.ofNullable(transactional.get(name));
    }

    /** Of an action that sends a message and waits for nothing. */
    public Optional<OneWayAction> oneWay(HandlerName name) {
        return oneWay.isEmpty() ? Optional.empty() : Optional.ofNullable(oneWay.get(name));
    }

    /** Whether there are any of those. */
    public boolean hasOneWay() {
        return !oneWay.isEmpty();
    }

    /** Whether workers in other processes do it. */
    public boolean isRemote(HandlerName name) {
        return remote.contains(name);
    }

    /** Why an attempt of an action that workers do is not to be made; all others ask by themselves. */
    Optional<String> refusal(HandlerName name) {
        return switches.refusal(name);
    }

    /** The same actions, each asking this before every attempt. */
    public HandlerRegistry switchedBy(ActionSwitch asked) {
        Map<HandlerName, TaskHandler> here = new TreeMap<>(handlers);
        here.replaceAll((name, handler) -> Switched.handler(name, handler, asked));
        Map<HandlerName, TransactionalHandler> subjects = new TreeMap<>(transactional);
        subjects.replaceAll((name, handler) -> Switched.transactional(name, handler, asked));
        Map<HandlerName, OneWayAction> messages = new TreeMap<>(oneWay);
        messages.replaceAll((name, action) -> Switched.oneWay(name, action, asked));
        return new HandlerRegistry(actions, here, subjects, remote, messages, asked);
    }

    /** The catalogue, by name; with the actions that need no handler because a dialect compiles them away. */
    public Map<HandlerName, ActionDescription> actions() {
        return actions;
    }

    /** Gathers actions; a name may be given once. */
    public static final class Builder {
        private final Map<HandlerName, ActionDescription> actions = new TreeMap<>();
        private final Map<HandlerName, TaskHandler> handlers = new TreeMap<>();
        private final Map<HandlerName, TransactionalHandler> transactional = new TreeMap<>();
        private final Set<HandlerName> remote = new TreeSet<>();
        private final Map<HandlerName, OneWayAction> oneWay = new TreeMap<>();

        private Builder() {}

        public Builder action(ActionDescription description, TaskHandler handler) {
            handlers.put(description.name(), requireNonNull(handler));
            return described(description);
        }

        /** An action that works on its run's subject, in a transaction (R17). */
        public Builder transactional(ActionDescription description, TransactionalHandler handler) {
            transactional.put(description.name(), requireNonNull(handler));
            return described(description);
        }

        /** An action that workers in other processes do. */
        public Builder remote(ActionDescription description) {
            remote.add(description.name());
            return described(description);
        }

        /** An action that sends a message and waits for nothing. */
        public Builder oneWay(ActionDescription description, OneWayAction action) {
            oneWay.put(description.name(), requireNonNull(action));
            return described(description);
        }

        /** An action without a handler: its dialect compiles it to another kind of node. */
        public Builder described(ActionDescription description) {
            if (actions.put(description.name(), description) != null) {
                throw new IllegalArgumentException("two actions are named " + description.name());
            }
            return this;
        }

        /** Of one that is not switched: its switch would be lost. */
        public Builder addAll(HandlerRegistry other) {
            if (!other.switches.equals(ActionSwitch.ALL_ON)) {
                throw new IllegalArgumentException("add them before they are switched");
            }
            other.actions.values().forEach(this::described);
            handlers.putAll(other.handlers);
            transactional.putAll(other.transactional);
            remote.addAll(other.remote);
            oneWay.putAll(other.oneWay);
            return this;
        }

        public HandlerRegistry build() {
            return new HandlerRegistry(actions, handlers, transactional, remote, oneWay, ActionSwitch.ALL_ON);
        }
    }
}
