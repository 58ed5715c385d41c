package dev.flowstone.bench.report;

import dev.flowstone.kernel.json.JsonObject;
import java.util.List;

/** What one measurement found. */
public interface Report {
    /** The benchmark's name. */
    String name();

    /** Whether it may be believed: nothing failed, and every chain that was made stands. */
    boolean sound();

    /** One object, for programs. */
    JsonObject toJson();

    /** A few lines, for people. */
    List<String> lines();

    /** How it went over time; none if nothing was sampled. */
    List<Curve> curves();

    /** What grew with what; none if nothing was compared. */
    default List<Plot> plots() {
        return List.of();
    }
}
