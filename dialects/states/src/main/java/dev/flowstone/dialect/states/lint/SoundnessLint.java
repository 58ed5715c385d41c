package dev.flowstone.dialect.states.lint;

import dev.flowstone.dialect.fault.Faults;
import dev.flowstone.dialect.fault.Quoted;
import dev.flowstone.dialect.soundness.Finding;
import dev.flowstone.dialect.soundness.Soundness;
import dev.flowstone.dialect.soundness.SoundnessReport;
import dev.flowstone.dialect.states.fault.Lint;
import dev.flowstone.kernel.id.NodeId;
import dev.flowstone.kernel.program.Program;
import java.util.List;

/** What the walk over the program's markings found, at the places in the source where it came from. */
final class SoundnessLint {
    /** The end of a trace says most. */
    private static final int SHOWN = 12;

    private final Program program;
    private final Faults faults;

    SoundnessLint(Program program, Faults faults) {
        this.program = program;
        this.faults = faults;
    }

    void run(int maxMarkings) {
        SoundnessReport report = Soundness.check(program, maxMarkings);
        for (Finding finding : report.findings()) {
            faults.add(
                    switch (finding.kind()) {
                        case DEADLOCK -> Lint.DEADLOCK;
                        case NEVER_RUNS -> Lint.NEVER_RUNS;
                        case JOIN_NEVER_FIRES -> Lint.JOIN_NEVER_FIRES;
                    },
                    finding.node().origin().pointer(),
                    Quoted.cut(finding.message(), 300) + trace(finding.trace()),
                    switch (finding.kind()) {
                        case DEADLOCK ->
                            "add a transition for this outcome, or take semaphores in one order everywhere";
                        case NEVER_RUNS -> "remove it, or the unconditional transition before the one that leads there";
                        case JOIN_NEVER_FIRES -> "ask for fewer branches, or accept outcomes that they can have";
                    });
        }
        if (!report.complete()) {
            faults.add(
                    Lint.NOT_FULLY_EXPLORED,
                    "",
                    "the first " + report.markings() + " markings were looked at, and there are more: what isn't"
                            + " reported may be there all the same",
                    "split parallel branches into workflows of their own, if you want certainty");
        }
    }

    private static String trace(List<NodeId> trace) {
        if (trace.isEmpty()) {
            return "";
        }
        List<String> names = trace.subList(Math.max(0, trace.size() - SHOWN), trace.size()).stream()
                .map(NodeId::value)
                .toList();
        String cut = trace.size() > SHOWN ? "… → " : "";
        return "; a shortest way there: " + cut + Quoted.cut(String.join(" → ", names), 600);
    }
}
