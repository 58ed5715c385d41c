package dev.flowstone.server.cli;

import java.util.ArrayList;
import java.util.List;

/** Rows under titles, each column as wide as its widest cell; a long cell is cut, but one of the last column. */
final class Table {
    private static final int MOST = 40;
    private static final int MOST_LAST = 72;
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
        terminal.out().println(terminal.dim(line(titles)));
        rows.forEach(row -> terminal.out().println(line(row)));
    }

    private String line(List<String> cells) {
        StringBuilder line = new StringBuilder();
        for (int i = 0; i < cells.size(); i++) {
            String cell = cells.get(i);
            line.append(cell);
            if (i < cells.size() - 1) {
                line.append(" ".repeat(width(i) - length(cell))).append(GAP);
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
