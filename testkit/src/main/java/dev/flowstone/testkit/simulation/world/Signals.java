package dev.flowstone.testkit.simulation.world;

/** The signals of a world: one type, few keys, so that runs compete for them. */
public final class Signals {
    /** Of all of them. */
    public static final String TYPE = "sig";

    private Signals() {}
}
