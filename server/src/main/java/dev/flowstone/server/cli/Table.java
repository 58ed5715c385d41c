package dev.flowstone.server.cli;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;

/**
 * Rows under titles, each column as wide as its widest cell. In a window long cells are cut, and so are those of a table that is
 * wider, from the last column on; never those of the first, by which people name things, and of others that are to stay whole:
 * such a line is wrapped rather. Where there is no window, nothing is cut.
 */
final class Table {
    private static final int MOST = 40;
    private static final int MOST_LAST = 72;
    private static final int LEAST = 6;
    private static final String GAP = "  ";

    private final List<String> titles;
    private final Set<String> whole;
    private final List<List<String>> rows = new ArrayList<>();

    /** @param whole titles of columns that are never cut, beside the first: names, and what there is to do */
    Table(List<String> titles, Set<String> whole) {
        this.titles = List.copyOf(titles);
        this.whole = Set.copyOf(whole);
    }

    void add(List<String> cells) {
        rows.add(cells.stream().map(Printable::text).toList());
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

    private boolean isWhole(int column) {
        return column == 0 || whole.contains(titles.get(column));
    }

    private void fit(int[] widths, int window) {
        for (int column = 1; column < widths.length; column++) {
            int most = column == widths.length - 1 ? MOST_LAST : MOST;
            widths[column] = isWhole(column) ? widths[column] : Math.min(widths[column], most);
        }
        int over = Arrays.stream(widths).sum() + GAP.length() * (widths.length - 1) - window;
        for (int column = widths.length - 1; column > 0 && over > 0; column--) {
            if (isWhole(column)) {
                continue;
            }
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
