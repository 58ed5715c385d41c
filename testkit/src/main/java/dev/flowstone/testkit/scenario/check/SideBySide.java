package dev.flowstone.testkit.scenario.check;

import java.util.ArrayList;
import java.util.List;

/** Two lists next to each other, equal items in one row ({@code -} expected only, {@code +} found only). */
final class SideBySide {
    /** Beyond it, no alignment is looked for: its cost is the product of both lengths. */
    private static final int LONGEST = 1_000;

    private static final int WIDEST = 60;

    private SideBySide() {}

    static List<String> of(List<String> expected, List<String> actual) {
        int width = Math.min(
                WIDEST,
                Math.max(8, expected.stream().mapToInt(String::length).max().orElse(0)));
        List<String> rows = new ArrayList<>();
        rows.add("  " + padded("expected", width) + "  actual");
        int[][] common = common(expected, actual);
        int i = 0;
        int j = 0;
        while (i < expected.size() || j < actual.size()) {
            boolean left = i < expected.size();
            boolean right = j < actual.size();
            if (left && right && expected.get(i).equals(actual.get(j))) {
                rows.add("  " + padded(expected.get(i++), width) + "  " + actual.get(j++));
            } else if (left && (!right || at(common, i + 1, j) >= at(common, i, j + 1))) {
                rows.add("- " + expected.get(i++));
            } else {
                rows.add("+ " + padded("", width) + "  " + actual.get(j++));
            }
        }
        return rows;
    }

    /** How long the longest common subsequence is of what is left from (i, j) on; empty if the lists are too long. */
    private static int[][] common(List<String> a, List<String> b) {
        if (a.size() > LONGEST || b.size() > LONGEST) {
            return new int[0][0];
        }
        int[][] common = new int[a.size() + 1][b.size() + 1];
        for (int i = a.size() - 1; i >= 0; i--) {
            for (int j = b.size() - 1; j >= 0; j--) {
                common[i][j] = a.get(i).equals(b.get(j))
                        ? common[i + 1][j + 1] + 1
                        : Math.max(common[i + 1][j], common[i][j + 1]);
            }
        }
        return common;
    }

    private static int at(int[][] common, int i, int j) {
        return i < common.length ? common[i][j] : 0;
    }

    private static String padded(String text, int width) {
        return text + " ".repeat(Math.max(0, width - text.length()));
    }
}
