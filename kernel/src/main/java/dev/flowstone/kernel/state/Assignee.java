package dev.flowstone.kernel.state;

import static java.util.Objects.requireNonNull;

import dev.flowstone.kernel.command.Party;
import java.util.ArrayList;
import java.util.List;

/**
 * One of those who are asked.
 *
 * @param chain who was asked before and delegated it, the first of them first
 */
public record Assignee(Party party, List<Party> chain) {
    public Assignee {
        requireNonNull(party);
        chain = List.copyOf(chain);
    }

    static Assignee of(Party party) {
        return new Assignee(party, List.of());
    }

    Assignee delegatedTo(Party to) {
        List<Party> longer = new ArrayList<>(chain);
        longer.add(party);
        return new Assignee(to, longer);
    }
}
