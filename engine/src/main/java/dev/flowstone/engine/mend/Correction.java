package dev.flowstone.engine.mend;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * A run's rows as they should be, and which of them are to be written.
 *
 * @param rows as its log says
 * @param differences what is wrong; only parts that are named here are written
 */
public record Correction(Projection rows, List<Difference> differences) {
    public Correction {
        requireNonNull(rows);
        differences = List.copyOf(differences);
    }

    /** Whether anything of this part is wrong. */
    public boolean touches(Difference.Part part) {
        return differences.stream().anyMatch(difference -> difference.part() == part);
    }
}
