package dev.flowstone.engine.trigger;

import static java.util.Objects.requireNonNull;

/** What signs a webhook's deliveries. It is in no log: its text is asked for by name. */
public record TriggerSecret(String text) {
    public TriggerSecret {
        requireNonNull(text);
    }

    @Override
    public String toString() {
        return "TriggerSecret[hidden]";
    }
}
