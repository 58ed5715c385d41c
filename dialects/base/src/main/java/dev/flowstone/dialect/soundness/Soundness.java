package dev.flowstone.dialect.soundness;

import dev.flowstone.kernel.program.Program;

/**
 * Looks at every marking that a program can reach if each condition may hold or not, up to a bound. A finding is a defect
 * of the program, with one exception: what conditions exclude is not seen. Children, other runs and people do whatever
 * helps, so that only what a run does to itself counts; kept losers of a join count as canceled.
 *
 * <p>For programs that {@code ProgramCheck} has no fault in. Cost: at most so many markings as allowed, each as large as
 * the branches that are open in it.
 */
public final class Soundness {
    private Soundness() {}

    /**
     * Walks.
     *
     * @param maxMarkings at most so many are looked at
     */
    public static SoundnessReport check(Program program, int maxMarkings) {
        return new Walk(new Ground(program), maxMarkings).run();
    }
}
