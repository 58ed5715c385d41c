package dev.flowstone.dialect.drawing.layout;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;

/** Which links lead back, and how far from the top each box is: its longest path over the others. */
final class Ranks {
    private Ranks() {}

    /** The links that close a circle, found depth first; a loop on one box isn't one of them. */
    static boolean[] backward(int boxes, List<Link> links) {
        List<List<Integer>> outgoing = outgoing(boxes, links);
        boolean[] backward = new boolean[links.size()];
        int[] state = new int[boxes];
        int[] next = new int[boxes];
        Deque<Integer> path = new ArrayDeque<>();
        for (int root = 0; root < boxes; root++) {
            if (state[root] != 0) {
                continue;
            }
            path.push(root);
            state[root] = 1;
            while (!path.isEmpty()) {
                int box = path.peek();
                if (next[box] == outgoing.get(box).size()) {
                    state[box] = 2;
                    path.pop();
                    continue;
                }
                int link = outgoing.get(box).get(next[box]++);
                int to = links.get(link).to();
                if (state[to] == 0) {
                    state[to] = 1;
                    path.push(to);
                } else {
                    backward[link] = state[to] == 1 && to != box;
                }
            }
        }
        return backward;
    }

    static int[] of(int boxes, List<Link> links, boolean[] backward) {
        int[] waiting = new int[boxes];
        List<List<Integer>> below = new ArrayList<>();
        for (int box = 0; box < boxes; box++) {
            below.add(new ArrayList<>());
        }
        for (int link = 0; link < links.size(); link++) {
            int upper = Layout.upper(links, backward, link);
            int lower = Layout.lower(links, backward, link);
            if (upper != lower) {
                below.get(upper).add(lower);
                waiting[lower]++;
            }
        }
        int[] rank = new int[boxes];
        Deque<Integer> ready = new ArrayDeque<>();
        for (int box = 0; box < boxes; box++) {
            if (waiting[box] == 0) {
                ready.add(box);
            }
        }
        while (!ready.isEmpty()) {
            int box = ready.remove();
            for (int lower : below.get(box)) {
                rank[lower] = Math.max(rank[lower], rank[box] + 1);
                if (--waiting[lower] == 0) {
                    ready.add(lower);
                }
            }
        }
        return rank;
    }

    private static List<List<Integer>> outgoing(int boxes, List<Link> links) {
        List<List<Integer>> outgoing = new ArrayList<>();
        for (int box = 0; box < boxes; box++) {
            outgoing.add(new ArrayList<>());
        }
        for (int link = 0; link < links.size(); link++) {
            outgoing.get(links.get(link).from()).add(link);
        }
        return outgoing;
    }
}
