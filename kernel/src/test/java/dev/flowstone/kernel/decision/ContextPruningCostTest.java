package dev.flowstone.kernel.decision;

import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.kernel.event.DataEvent.ContextPruned;
import dev.flowstone.kernel.json.JsonNumber;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.json.JsonValue;
import dev.flowstone.kernel.program.ContextRule.Overflow;
import dev.flowstone.kernel.story.Programs;
import dev.flowstone.kernel.story.Story;
import java.util.AbstractMap;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

/** A full context costs a further result what is left out for it, not what the context holds. */
final class ContextPruningCostTest {
    private static final int NODES = 60;
    private static final int MEMBERS = 40;

    /** Some results of {@value #MEMBERS} members, and the marks of all others. */
    private static final int ROOM = 5_000;

    /** Results that were walked through since the counts were cleared, with how often. */
    private final Map<String, Integer> walked = new HashMap<>();

    @Test
    void eachResultMeasuresOnlyWhatItDrivesOut() {
        Programs program = Programs.dag();
        String before = "start";
        for (int i = 0; i < NODES; i++) {
            program.task("n" + i).edge(before, "n" + i);
            before = "n" + i;
        }
        Story story = Story.unchecked(
                        program.context(Overflow.AUTO_PRUNE_OLDEST, ROOM).build(), Bounds.DEFAULT)
                .start();
        int most = 0;
        for (int i = 0; i < NODES; i++) {
            String node = "n" + i;
            walked.clear();
            story.ok(node, JsonObject.view(new Counted(node)));
            walked.remove(node);
            most = Math.max(most, walked.size());
        }

        int pruned = story.all(ContextPruned.class).stream()
                .mapToInt(it -> it.bytes().size())
                .sum();
        assertTrue(pruned > NODES / 2, pruned + " were left out");
        assertTrue(most <= 2, most + " were measured at once, though one or two make room for each that comes");
    }

    /** Of one node; counts who looks through it. */
    private final class Counted extends AbstractMap<String, JsonValue> {
        private final String node;
        private final Map<String, JsonValue> members = new HashMap<>();

        Counted(String node) {
            this.node = node;
            for (int i = 0; i < MEMBERS; i++) {
                members.put("m" + (100 + i), JsonNumber.of(100));
            }
        }

        @Override
        public Set<Entry<String, JsonValue>> entrySet() {
            walked.merge(node, 1, Integer::sum);
            return members.entrySet();
        }
    }
}
