package dev.flowstone.engine.ownership;

import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;

/**
 * How many shards are fair for one node, which each node computes by itself from what all of them read. All that isn't held by
 * nodes that share with nobody is divided; what doesn't divide evenly stays with those that have most, so that nothing moves
 * for its own sake. Since all that nodes have too much of is all that others lack, less what is free, nodes that agree on the
 * census never give away more than others take.
 *
 * @param held by the node, as the census has it
 * @param fair what it should hold
 */
record Share(int held, int fair) {
    /** None of anything. */
    static final Share NONE = new Share(0, 0);

    /** That of a node, which counts as present. */
    static Share of(Census census, int shards, String self) {
        Map<String, Integer> held = new HashMap<>();
        held.put(self, 0);
        census.present().forEach(present -> held.put(present.member().name(), 0));
        int divided = shards;
        for (Census.Holding holding : census.holdings().values()) {
            if (held.computeIfPresent(holding.holder(), (_, count) -> count + 1) == null) {
                divided--;
            }
        }
        List<String> byRank = held.entrySet().stream()
                .sorted(Comparator.comparingInt((Map.Entry<String, Integer> node) -> -node.getValue())
                        .thenComparing(Map.Entry::getKey))
                .map(Map.Entry::getKey)
                .toList();
        int most = byRank.indexOf(self) < divided % byRank.size() ? 1 : 0;
        return new Share(held.getOrDefault(self, 0), divided / byRank.size() + most);
    }

    /** How many it has too much. */
    int surplus() {
        return Math.max(0, held - fair);
    }
}
