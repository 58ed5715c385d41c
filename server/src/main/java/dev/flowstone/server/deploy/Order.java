package dev.flowstone.server.deploy;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;

/** Workflows so that what is called stands before what calls it; those that call each other stand by name. */
final class Order {
    private final Map<String, Piece.Workflow> workflows = new LinkedHashMap<>();
    private final Set<String> placed = new HashSet<>();
    private final List<Piece.Workflow> order = new ArrayList<>();
    private final List<List<String>> circles = new ArrayList<>();

    Order(List<Piece.Workflow> pieces) {
        pieces.stream()
                .sorted((one, other) -> one.name().compareTo(other.name()))
                .forEach(piece -> workflows.put(piece.name(), piece));
        workflows.keySet().forEach(this::place);
    }

    List<Piece.Workflow> order() {
        return List.copyOf(order);
    }

    List<List<String>> circles() {
        return List.copyOf(circles);
    }

    /** Depth first with a stack of its own: a folder may call as deep as it has files. */
    private void place(String root) {
        List<String> path = new ArrayList<>();
        List<List<String>> left = new ArrayList<>();
        enter(root, path, left);
        while (!path.isEmpty()) {
            List<String> callees = left.getLast();
            if (callees.isEmpty()) {
                left.removeLast();
                done(path.removeLast());
            } else {
                enter(callees.removeLast(), path, left);
            }
        }
    }

    private void enter(String name, List<String> path, List<List<String>> left) {
        Piece.Workflow piece = workflows.get(name);
        if (piece == null || placed.contains(name)) {
            return;
        }
        int before = path.indexOf(name);
        if (before >= 0) {
            circles.add(List.copyOf(path.subList(before, path.size())));
            return;
        }
        path.add(name);
        left.add(new ArrayList<>(new TreeSet<>(piece.calls()).descendingSet()));
    }

    private void done(String name) {
        Piece.Workflow piece = workflows.get(name);
        if (piece != null && placed.add(name)) {
            order.add(piece);
        }
    }
}
