package dev.flowstone.engine.read;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import java.time.Instant;
import java.util.Comparator;

/** A human task's place in lists: by when it was opened, then by run, then by its activation as it is written. */
public record HumanTaskPlace(Instant openedAt, RunId run, ActivationId activation)
        implements Comparable<HumanTaskPlace> {
    private static final Comparator<HumanTaskPlace> ORDER = Comparator.comparing(HumanTaskPlace::openedAt)
            .thenComparing(HumanTaskPlace::run)
            .thenComparing(place -> place.activation().toString());

    public HumanTaskPlace {
        requireNonNull(openedAt);
        requireNonNull(run);
        requireNonNull(activation);
    }

    @Override
    public int compareTo(HumanTaskPlace other) {
        return ORDER.compare(this, other);
    }
}
