package dev.flowstone.dialect.states.lint;

import dev.flowstone.dialect.fault.Faults;
import dev.flowstone.dialect.states.model.Source;
import dev.flowstone.kernel.program.Program;
import java.util.List;

/** All lints, for a source that compiled. */
public final class Linter {
    private final List<Runnable> rules;

    /**
     * For one source.
     *
     * @param program what it compiled to
     * @param maxMarkings that the soundness check looks at
     */
    public Linter(Source source, Program program, Beyond beyond, Faults faults, int maxMarkings) {
        this.rules = List.of(
                () -> new TaskLints(source, faults).run(),
                () -> new ElseLint(source, faults).run(),
                () -> new BackEdgeLint(source, faults).run(),
                () -> new SignalLints(source, faults).run(),
                () -> new PeopleLints(source, faults).run(),
                () -> new ChildLints(source, beyond.callees(), faults).run(),
                () -> new BundleLint(source, beyond.bundles(), faults).run(),
                () -> new SemaphoreLint(source, faults).run(),
                () -> new SoundnessLint(program, faults).run(maxMarkings));
    }

    public void run() {
        rules.forEach(Runnable::run);
    }
}
