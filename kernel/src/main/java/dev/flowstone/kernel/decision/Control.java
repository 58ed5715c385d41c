package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.json.JsonCursor;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.kernel.state.PersistentRunState;
import dev.flowstone.kernel.state.RunState;
import java.util.Map;
import java.util.TreeMap;

/** What an operation would do, without doing it. Pure. */
public final class Control {
    private Control() {}

    /**
     * What resuming a run would set going.
     *
     * @param inputs how many buffered inputs would be decided, by kind of command
     * @param timers how many timers would be set again
     * @param released how many activations would begin that were kept ready
     */
    public record ResumePreview(Map<String, Integer> inputs, int timers, int released) {
        public ResumePreview {
            inputs = Map.copyOf(inputs);
        }
    }

    /** Counts; costs time linear in what is buffered. */
    public static ResumePreview previewResume(RunState state) {
        if (!(state instanceof PersistentRunState known)) {
            throw new IllegalArgumentException("a state that the kernel did not make: " + state.getClass());
        }
        Map<String, Integer> inputs = new TreeMap<>();
        for (JsonObject input : known.control().buffer().values()) {
            inputs.merge(JsonCursor.of(input).member("command").string("type"), 1, Integer::sum);
        }
        return new ResumePreview(
                inputs,
                known.control().frozen().size(),
                known.control().parked().size());
    }
}
