package dev.flowstone.dialect.states.model;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * A whole source.
 *
 * @param regions the root first, then those inside it, in the order of names
 */
public record Source(At workflow, Region root, List<Region> regions) {
    public Source {
        requireNonNull(workflow);
        requireNonNull(root);
        regions = List.copyOf(regions);
    }

    public String id() {
        return workflow.text("id").orElse("");
    }

    /** Every state, region by region. */
    public List<StateDef> states() {
        return regions.stream()
                .flatMap(region -> region.states().values().stream())
                .toList();
    }
}
