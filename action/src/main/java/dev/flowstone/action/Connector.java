package dev.flowstone.action;

import java.util.List;

/**
 * Actions that belong together, by the part of their ids before the first dot. Found by {@link java.util.ServiceLoader}, or registered by
 * name; never by looking through classes. Needs a public constructor without parameters to be found.
 */
public interface Connector {
    /** What it is. Asked once, when it is registered. */
    ConnectorSpec spec();

    /** What it can do; at least one. Asked once. */
    List<Action<?, ?>> actions();

    static Connector of(ConnectorSpec spec, Action<?, ?>... actions) {
        List<Action<?, ?>> all = List.of(actions);
        return new Connector() {
            @Override
            public ConnectorSpec spec() {
                return spec;
            }

            @Override
            public List<Action<?, ?>> actions() {
                return all;
            }
        };
    }
}
