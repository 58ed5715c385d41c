package dev.flowstone.testkit.simulation.world;

/** Something that may happen next in a world. */
public interface Step {
    /** Its name in traces and counts. */
    default String name() {
        return getClass().getSimpleName();
    }

    /** How often it happens, compared with the others. */
    int weight();

    /** Lets it happen; false if there was no occasion for it. */
    boolean happen(World world, Dice dice);
}
