package dev.flowstone.server.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;

/**
 * Rows under titles, each column as wide as its widest cell. A long cell is cut; so are those of a table that is wider than
 * the window, from the last column on and never those of the first, by which people name things.
 */
final class Table {
    private static final int MOST = 40;
    private static final int MOST_LAST = 72;
    private static final int LEAST = 6;
    private static final String GAP = "  ";

    private final List<String> titles;
    private final List<List<String>> rows = new ArrayList<>();

    Table(List<String> titles) {
        this.titles = List.copyOf(titles);
    }

    void add(List<String> cells) {
        List<String> safe = new ArrayList<>();
        for (int i = 0; i < cells.size(); i++) {
            safe.add(Printable.cut(cells.get(i), i == cells.size() - 1 ? MOST_LAST : MOST));
        }
        rows.add(safe);
    }

    void print(Terminal terminal) {
        int[] widths = new int[titles.size()];
        for (int column = 0; column < widths.length; column++) {
            widths[column] = width(column);
        }
        terminal.width().get().ifPresent(window -> fit(widths, window));
        terminal.out().println(terminal.dim(line(titles, widths)));
        rows.forEach(row -> terminal.out().println(line(row, widths)));
    }

    private void fit(int[] widths, int window) {
        int over = Arrays.stream(widths).sum() + GAP.length() * (widths.length - 1) - window;
        for (int column = widths.length - 1; column > 0 && over > 0; column--) {
            int least = Math.max(LEAST, length(titles.get(column)));
            int less = Math.clamp((long) widths[column] - least, 0, over);
            widths[column] -= less;
            over -= less;
        }
    }

    private static String line(List<String> cells, int[] widths) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < widths.length; i++) {
            String cell = Printable.cut(cells.get(i), widths[i]);
            line.append(cell);
            if (i < widths.length - 1) {
                line.append(" ".repeat(widths[i] - length(cell))).append(GAP);
            }
        }
        return line.toString().stripTrailing();
    }

    private int width(int column) {
        int widest = length(titles.get(column));
        for (List<String> row : rows) {
            widest = Math.max(widest, length(row.get(column)));
        }
        return widest;
    }

    private static int length(String cell) {
        return cell.codePointCount(0, cell.length());
    }
}
