package dev.flowstone.engine.ownership;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.lease.ShardId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Test;

/** How shards are divided, by nodes that don't talk to each other. */
final class ShareTest {
    private static final Duration LONG = Duration.ofMinutes(1);

    /** Holders in the order of shards; empty for a free one. */
    private static Census census(List<String> present, String... holders) {
        Map<ShardId, Census.Holding> holdings = new HashMap<>();
        for (int i = 0; i < holders.length; i++) {
            if (!holders[i].isEmpty()) {
                holdings.put(new ShardId(i), new Census.Holding(holders[i], 1, LONG));
            }
        }
        return new Census(
                present.stream()
                        .map(name -> new Census.Present(new Member(name, "", ""), Instant.EPOCH, LONG))
                        .toList(),
                holdings);
    }

    @Test
    void oneNodeHasAll() {
        assertEquals(new Share(0, 4), Share.of(census(List.of("a"), "", "", "", ""), 4, "a"));
    }

    @Test
    void whoHasTooMuchGivesItAway() {
        Census census = census(List.of("a", "b"), "a", "a", "a", "a");

        assertEquals(2, Share.of(census, 4, "a").surplus());
        assertEquals(new Share(0, 2), Share.of(census, 4, "b"));
    }

    /** Else a shard would change hands for nothing. */
    @Test
    void whatDoesNotDivideEvenlyStaysWhereItIs() {
        Census census = census(List.of("a", "b"), "b", "b", "a");

        assertEquals(new Share(1, 1), Share.of(census, 3, "a"));
        assertEquals(new Share(2, 2), Share.of(census, 3, "b"));
    }

    @Test
    void whatAStrangerHoldsIsNotDivided() {
        Census census = census(List.of("a", "b"), "old", "old", "a", "a");

        assertEquals(new Share(2, 1), Share.of(census, 4, "a"));
        assertEquals(new Share(0, 1), Share.of(census, 4, "b"));
    }

    @Test
    void moreNodesThanShardsLeaveSomeWithNone() {
        Census census = census(List.of("a", "b", "c"), "c", "b");

        assertEquals(new Share(0, 0), Share.of(census, 2, "a"));
        assertEquals(0, Share.of(census, 2, "b").surplus());
        assertEquals(0, Share.of(census, 2, "c").surplus());
    }

    /** It reads what it has just written; but were it not there, nobody would have its share. */
    @Test
    void whoAsksIsPresent() {
        assertEquals(new Share(0, 1), Share.of(census(List.of("a"), "a", "a"), 2, "b"));
    }

    /** Whoever acts in whatever order on the same or on newer news: in the end all shares are fair, and then nothing moves. */
    @Test
    void whateverHoldsWhatTheyComeToRestFairly() {
        for (long seed = 0; seed < 3_000; seed++) {
            SplittableRandom random = new SplittableRandom(seed);
            List<String> nodes =
                    new ArrayList<>(List.of("a", "b", "c", "d", "e").subList(0, random.nextInt(1, 6)));
            int shards = random.nextInt(1, 17);
            String[] holders = new String[shards];
            for (int i = 0; i < shards; i++) {
                holders[i] = random.nextInt(4) == 0 ? "" : nodes.get(random.nextInt(nodes.size()));
            }
            if (random.nextInt(3) == 0) {
                // One has died: its leases have run out.
                String dead = nodes.removeLast();
                for (int i = 0; i < shards; i++) {
                    holders[i] = holders[i].equals(dead) || nodes.isEmpty() ? "" : holders[i];
                }
                nodes.add(nodes.isEmpty() ? "f" : "g");
            }
            int moves = settle(random, nodes, shards, holders);
            String said = "seed " + seed + ": " + String.join(",", holders);
            assertTrue(moves <= 2 * shards, said);
            for (String node : nodes) {
                Share share = Share.of(census(nodes, holders), shards, node);
                assertEquals(share.fair(), share.held(), said);
                assertTrue(Math.abs(share.held() - shards / nodes.size()) <= 1, said);
            }
        }
    }

    /** How many shards were given away or taken until nothing moved. */
    private static int settle(SplittableRandom random, List<String> nodes, int shards, String[] holders) {
        int moves = 0;
        boolean moved = true;
        while (moved) {
            moved = false;
            // All of them have seen the same, and act on it one after the other.
            Census seen = census(nodes, holders);
            int first = random.nextInt(nodes.size());
            for (int turn = 0; turn < nodes.size(); turn++) {
                String node = nodes.get((first + turn) % nodes.size());
                Share share = Share.of(seen, shards, node);
                int give = share.surplus();
                int take = share.fair() - share.held();
                for (int i = 0; i < shards; i++) {
                    boolean free = !seen.holdings().containsKey(new ShardId(i));
                    if (give > 0 && holders[i].equals(node)) {
                        holders[i] = "";
                        give--;
                        moves++;
                        moved = true;
                    } else if (take > 0 && free && holders[i].isEmpty()) {
                        holders[i] = node;
                        take--;
                        moves++;
                        moved = true;
                    }
                }
            }
            if (moves > 100 * shards) {
                return moves;
            }
        }
        return moves;
    }
}
