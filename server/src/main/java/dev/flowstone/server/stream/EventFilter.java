package dev.flowstone.server.stream;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.event.Event;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import java.nio.charset.StandardCharsets;
import java.util.Optional;
import java.util.Set;
import java.util.TreeSet;

/**
 * Which of a tenant's events a reader wants; what is empty doesn't matter.
 *
 * @param kinds of events
 */
public record EventFilter(TenantId tenant, Optional<RunId> run, Optional<WorkflowId> workflow, Set<String> kinds) {
    public EventFilter {
        requireNonNull(tenant);
        requireNonNull(run);
        requireNonNull(workflow);
        kinds = Set.copyOf(kinds);
    }

    boolean admits(Event event) {
        return workflow.map(event.header().workflow()::equals).orElse(true)
                && (kinds.isEmpty() || kinds.contains(event.body().kind()));
    }

    /** Tells filters apart, so that nobody goes on with a cursor of another one and misses events unawares. */
    String fingerprint() {
        String text = tenant + "\n" + run + "\n" + workflow + "\n" + new TreeSet<>(kinds);
        return Sha256.digest(text.getBytes(StandardCharsets.UTF_8)).toString().substring(0, 12);
    }
}
