package dev.flowstone.engine.catalog;

import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.regex.Pattern;

/** All that a node can do: each connector and each action once, and the connector of each action. */
public record Offer(List<OfferedConnector> connectors, List<OfferedAction> actions) {
    public static final Offer NOTHING = new Offer(List.of(), List.of());

    private static final Pattern VERSION = Pattern.compile("(0|[1-9]\\d{0,5})(\\.(0|[1-9]\\d{0,5})){2}");

    public Offer {
        connectors = List.copyOf(connectors);
        actions = List.copyOf(actions);
        Set<String> known = new HashSet<>();
        for (OfferedConnector connector : connectors) {
            if (!known.add(connector.id())) {
                throw new IllegalArgumentException("the connector '" + connector.id() + "' is there twice");
            }
        }
        Set<String> named = new HashSet<>();
        for (OfferedAction action : actions) {
            if (!named.add(action.id())) {
                throw new IllegalArgumentException("the action '" + action.id() + "' is there twice");
            }
            if (!known.contains(action.connector())) {
                throw new IllegalArgumentException("the action '" + action.id() + "' has no connector");
            }
        }
    }

    /** What it has of this alone: the connector, or the action with its connector. Empty if it hasn't. */
    public Optional<Offer> only(Subject subject) {
        List<OfferedAction> named = subject.kind() == Subject.Kind.ACTION
                ? actions.stream().filter(it -> it.id().equals(subject.id())).toList()
                : List.of();
        String connector = subject.kind() == Subject.Kind.CONNECTOR
                ? subject.id()
                : named.stream().map(OfferedAction::connector).findFirst().orElse("");
        List<OfferedConnector> its =
                connectors.stream().filter(it -> it.id().equals(connector)).toList();
        return its.isEmpty() ? Optional.empty() : Optional.of(new Offer(its, named));
    }

    static void checkVersion(String version) {
        if (!VERSION.matcher(version).matches()) {
            throw new IllegalArgumentException("a version is MAJOR.MINOR.PATCH, not '" + version + "'");
        }
    }
}
