package dev.flowstone.dialect.dag.definition;

import dev.flowstone.dialect.dag.fault.FaultCode;
import dev.flowstone.dialect.dag.option.DagOptions.Limits;
import dev.flowstone.dialect.fault.Faults;
import dev.flowstone.dialect.fault.Quoted;
import java.util.Locale;
import java.util.regex.Pattern;

/** What an id may look like. Each check notes the first thing wrong with an id. */
final class Ids {
    private static final Pattern WORKFLOW = Pattern.compile("[a-z0-9-]+");
    private static final Pattern NOT_WORKFLOW = Pattern.compile("[^a-z0-9-]+");

    /** Ids that begin so are the compiler's own. */
    private static final String RESERVED = "$";

    private final Limits limits;
    private final Faults faults;

    Ids(Limits limits, Faults faults) {
        this.limits = limits;
        this.faults = faults;
    }

    void workflow(String id, String pointer) {
        if (!fits("workflow", id, pointer) || WORKFLOW.matcher(id).matches()) {
            return;
        }
        String repaired = NOT_WORKFLOW.matcher(id.toLowerCase(Locale.ROOT)).replaceAll("-");
        String remedy = repaired.matches("-*") ? "write letters and digits" : "write " + Quoted.text(repaired);
        bad(pointer, "a workflow's id has only a-z, 0-9 and '-', but this is " + Quoted.text(id), remedy);
    }

    /** Of a workflow in any dialect. */
    void called(String id, String pointer) {
        if (fits("workflow", id, pointer)) {
            showable("workflow", id, pointer);
        }
    }

    void node(String id, String pointer) {
        if (!fits("node", id, pointer)) {
            return;
        }
        if (id.startsWith(RESERVED)) {
            bad(pointer, "ids that begin with '$' are reserved, and this is " + Quoted.text(id), "leave the '$' out");
            return;
        }
        showable("node", id, pointer);
    }

    private void showable(String kind, String id, String pointer) {
        for (int i = 0; i < id.length(); i++) {
            if (Character.isISOControl(id.charAt(i)) || loneSurrogate(id, i)) {
                bad(
                        pointer,
                        "a " + kind + "'s id has a character that can't be shown, at " + i,
                        "write letters and digits");
                return;
            }
        }
    }

    private boolean fits(String kind, String id, String pointer) {
        if (id.isEmpty()) {
            bad(pointer, "a " + kind + "'s id isn't empty", "give it a name");
        } else if (id.length() > limits.maxIdLength()) {
            bad(
                    pointer,
                    "a " + kind + "'s id has at most " + limits.maxIdLength() + " characters, but this has "
                            + id.length(),
                    "shorten it, or raise the limit dag.maxIdLength (to 200 at most)");
        }
        return !id.isEmpty() && id.length() <= limits.maxIdLength();
    }

    private void bad(String pointer, String message, String remedy) {
        faults.add(FaultCode.BAD_ID, pointer, message, remedy);
    }

    private static boolean loneSurrogate(String id, int at) {
        char c = id.charAt(at);
        if (Character.isHighSurrogate(c)) {
            return at + 1 == id.length() || !Character.isLowSurrogate(id.charAt(at + 1));
        }
        return Character.isLowSurrogate(c) && (at == 0 || !Character.isHighSurrogate(id.charAt(at - 1)));
    }
}
