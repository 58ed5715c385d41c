package dev.flowstone.testkit.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.engine.policy.PolicyStore;
import dev.flowstone.engine.policy.PolicyVersion;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.PolicyName;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonObject;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;

/** What published policies owe: versions without gaps that never change, each tenant's its own. */
public abstract class PolicyStoreConformance extends PortsConformance {
    private static final TenantId ONE = new TenantId("acme");
    private static final TenantId OTHER = new TenantId("other");
    private static final PolicyName NAME = new PolicyName("release");
    private static final Actor ANN = new Actor("user", "ann");
    private static final Actor BOB = new Actor("service", "bob:2");
    private static final Instant AT = Instant.parse("2026-11-27T12:00:00Z");

    /** Run by the ports under test. */
    protected PolicyStoreConformance() {}

    private PolicyStore store() {
        return ports().policies();
    }

    private static JsonObject bundle(int number) {
        return JsonObject.builder().put("kind", "rules").put("number", number).build();
    }

    @Test
    void theNewestVersionIsTheCurrentOneAndTheOthersStay() throws Exception {
        PolicyVersion first = store().publish(ONE, NAME, bundle(1), ANN, AT);
        PolicyVersion second = store().publish(ONE, NAME, bundle(2), BOB, AT.plusSeconds(1));

        assertEquals(new PolicyVersion(NAME, 1, bundle(1), PolicyVersion.hash(bundle(1)), AT, Optional.of(ANN)), first);
        assertEquals(Optional.of(BOB), second.publishedBy());
        assertEquals(2, second.version());
        assertEquals(Optional.of(second), store().current(ONE, NAME));
        assertEquals(Optional.of(first), store().version(ONE, NAME, 1));
        assertEquals(Optional.empty(), store().version(ONE, NAME, 3));
    }

    @Test
    void theSameBundleAgainIsTheSameVersionUnlessAnotherCameBetween() throws Exception {
        PolicyVersion first = store().publish(ONE, NAME, bundle(1), ANN, AT);

        assertEquals(first, store().publish(ONE, NAME, bundle(1), BOB, AT.plusSeconds(1)));
        store().publish(ONE, NAME, bundle(2), ANN, AT);
        assertEquals(3, store().publish(ONE, NAME, bundle(1), ANN, AT).version());
    }

    @Test
    void eachTenantHasItsOwn() throws Exception {
        store().publish(ONE, NAME, bundle(1), ANN, AT);

        assertEquals(Optional.empty(), store().current(OTHER, NAME));
        assertEquals(1, store().publish(OTHER, NAME, bundle(2), ANN, AT).version());
        assertEquals(bundle(1), store().current(ONE, NAME).orElseThrow().bundle());
    }

    @Test
    void publicationsAtOnceGetNumbersWithoutAGap() throws Exception {
        List<Integer> numbers = new ArrayList<>();
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<PolicyVersion>> published = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                int number = i;
                published.add(threads.submit(() -> store().publish(ONE, NAME, bundle(number), ANN, AT)));
            }
            for (Future<PolicyVersion> one : published) {
                numbers.add(one.get().version());
            }
        }

        assertEquals(
                IntStream.rangeClosed(1, 8).boxed().toList(),
                numbers.stream().sorted().toList());
    }
}
