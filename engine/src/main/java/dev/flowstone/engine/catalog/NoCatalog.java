package dev.flowstone.engine.catalog;

import dev.flowstone.kernel.command.Actor;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;

/** A place that keeps no catalog. */
final class NoCatalog implements Catalog {
    @Override
    public void register(String node, Offer offer) {
        // Nobody would read it.
    }

    @Override
    public void enter(Offer offer) {
        // It keeps nothing.
    }

    @Override
    public boolean seen(String node) {
        return true;
    }

    @Override
    public void leave(String node) {
        // It was never there.
    }

    @Override
    public List<CatalogConnector> connectors(Optional<String> after, int limit) {
        return List.of();
    }

    @Override
    public Optional<CatalogConnector> connector(String id) {
        return Optional.empty();
    }

    @Override
    public List<CatalogAction> actions(Filter filter, Optional<String> after, int limit) {
        return List.of();
    }

    @Override
    public Optional<CatalogAction> action(String id) {
        return Optional.empty();
    }

    @Override
    public Turned turn(Subject subject, boolean on, Optional<String> reason, OptionalLong expected, Actor by) {
        return new Turned.Unknown();
    }

    @Override
    public Off off() {
        return Off.NOTHING;
    }
}
