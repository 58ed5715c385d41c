package dev.flowstone.server.trigger;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.engine.trigger.Trigger;
import dev.flowstone.kernel.event.Event;
import dev.flowstone.server.execution.Logs;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** An event is compared with those triggers that may want its type. */
final class ListenersTest {
    private static final Event EVENT = Logs.event(1, Logs.other());
    private static final String KIND = "dev.flowstone." + EVENT.body().kind();

    @Test
    void eachThatWantsItIsFoundOnceHoweverItSaysSo() {
        List<Trigger> wants = List.of(
                SomeTriggers.of(KIND),
                SomeTriggers.of("dev.flowstone.Other", KIND, KIND),
                SomeTriggers.of("dev.*", KIND),
                SomeTriggers.of("*"));
        List<Trigger> others = List.of(SomeTriggers.of("dev.flowstone.Other"), SomeTriggers.of("x*"));
        List<Trigger> all = new ArrayList<>(wants);
        all.addAll(others);
        List<Trigger> found =
                SomeTriggers.listeners(all.toArray(Trigger[]::new)).of(EVENT, 1, 5);
        assertEquals(wants.size(), found.size());
        assertEquals(Set.copyOf(wants), new HashSet<>(found));
    }
}
