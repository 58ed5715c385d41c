package dev.flowstone.testkit.memory;

import static java.util.Objects.requireNonNull;

import dev.flowstone.engine.catalog.Catalog;
import dev.flowstone.engine.catalog.CatalogAction;
import dev.flowstone.engine.catalog.CatalogConnector;
import dev.flowstone.engine.catalog.Off;
import dev.flowstone.engine.catalog.Offer;
import dev.flowstone.engine.catalog.OfferedAction;
import dev.flowstone.engine.catalog.OfferedConnector;
import dev.flowstone.engine.catalog.Subject;
import dev.flowstone.engine.catalog.SwitchState;
import dev.flowstone.engine.time.Clock;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.json.JsonObject;
import java.lang.module.ModuleDescriptor.Version;
import java.time.Instant;
import java.util.Comparator;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.NavigableMap;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/** The catalog in memory, as the database keeps it. */
public final class InMemoryCatalog implements Catalog {
    private final Clock clock;
    private final Map<String, Node> nodes = new HashMap<>();
    private final Map<Subject, NavigableMap<Version, Entry<OfferedConnector>>> connectors = new HashMap<>();
    private final Map<Subject, NavigableMap<Version, Entry<OfferedAction>>> actions = new HashMap<>();
    private final Map<Subject, SwitchState> switches = new HashMap<>();

    public InMemoryCatalog(Clock clock) {
        this.clock = requireNonNull(clock);
    }

    private record Node(Instant seen, Map<Subject, Version> offers) {}

    private record Entry<T>(T item, Instant created) {}

    @Override
    public synchronized void register(String node, Offer offer) {
        nodes.put(node, new Node(clock.now(), put(offer)));
        forget(connectors);
        forget(actions);
    }

    @Override
    public synchronized void enter(Offer offer) {
        Map<Subject, Version> _ = put(offer);
    }

    private Map<Subject, Version> put(Offer offer) {
        Map<Subject, Version> offers = new HashMap<>();
        for (OfferedConnector connector : offer.connectors()) {
            put(connectors, Subject.connector(connector.id()), connector.version(), connector, offers);
        }
        for (OfferedAction action : offer.actions()) {
            put(actions, Subject.action(action.id()), action.version(), action, offers);
        }
        return offers;
    }

    private <T> void put(
            Map<Subject, NavigableMap<Version, Entry<T>>> all,
            Subject subject,
            String written,
            T item,
            Map<Subject, Version> offers) {
        Version version = Version.parse(written);
        all.computeIfAbsent(subject, _ -> new TreeMap<>())
                .merge(version, new Entry<>(item, clock.now()), (old, said) -> new Entry<>(item, old.created()));
        offers.put(subject, version);
    }

    private <T> void forget(Map<Subject, NavigableMap<Version, Entry<T>>> all) {
        all.forEach((subject, versions) -> {
            Version newest = versions.lastKey();
            Set<Version> had = new HashSet<>();
            nodes.values()
                    .forEach(node ->
                            Optional.ofNullable(node.offers.get(subject)).ifPresent(had::add));
            versions.keySet().removeIf(version -> !version.equals(newest) && !had.contains(version));
        });
    }

    @Override
    public synchronized boolean seen(String node) {
        return nodes.computeIfPresent(node, (_, it) -> new Node(clock.now(), it.offers)) != null;
    }

    @Override
    public synchronized void leave(String node) {
        nodes.remove(node);
    }

    /** The newest that a node has now. */
    private Optional<Version> live(Subject subject) {
        Instant since = clock.now().minus(SILENT_AFTER);
        return nodes.values().stream()
                .filter(node -> node.seen.isAfter(since))
                .flatMap(node -> Stream.ofNullable(node.offers.get(subject)))
                .max(Comparator.naturalOrder());
    }

    private SwitchState state(Subject subject) {
        return switches.getOrDefault(subject, SwitchState.UNTOUCHED);
    }

    @Override
    public synchronized List<CatalogConnector> connectors(Optional<String> after, int limit) {
        return connectors.keySet().stream()
                .map(Subject::id)
                .filter(id -> after.isEmpty() || id.compareTo(after.get()) > 0)
                .sorted()
                .limit(limit)
                .map(id -> connector(id).orElseThrow())
                .map(InMemoryCatalog::withoutSchema)
                .toList();
    }

    @Override
    public synchronized Optional<CatalogConnector> connector(String id) {
        Subject subject = Subject.connector(id);
        Optional<Version> live = live(subject);
        return Optional.ofNullable(connectors.get(subject))
                .map(versions -> versions.get(live.orElseGet(versions::lastKey)))
                .map(it -> new CatalogConnector(it.item, live.isPresent(), state(subject), it.created));
    }

    @Override
    public synchronized List<CatalogAction> actions(Filter filter, Optional<String> after, int limit) {
        return actions.keySet().stream()
                .map(Subject::id)
                .filter(id -> after.isEmpty() || id.compareTo(after.get()) > 0)
                .sorted()
                .map(id -> action(id).orElseThrow())
                .filter(it -> matches(filter, it))
                .limit(limit)
                .map(InMemoryCatalog::withoutSchemas)
                .toList();
    }

    private static CatalogConnector withoutSchema(CatalogConnector entry) {
        OfferedConnector it = entry.connector();
        return new CatalogConnector(
                new OfferedConnector(
                        it.id(),
                        it.version(),
                        it.displayName(),
                        it.description(),
                        it.iconUrl(),
                        it.documentationUrl(),
                        it.enabled(),
                        it.requiresAuth(),
                        it.authType(),
                        Optional.empty(),
                        it.capabilities()),
                entry.registered(),
                entry.state(),
                entry.created());
    }

    private static CatalogAction withoutSchemas(CatalogAction entry) {
        OfferedAction it = entry.action();
        return new CatalogAction(
                new OfferedAction(
                        it.id(),
                        it.connector(),
                        it.version(),
                        it.displayName(),
                        it.description(),
                        it.category(),
                        it.tags(),
                        JsonObject.EMPTY,
                        JsonObject.EMPTY,
                        it.enabled(),
                        it.deprecation(),
                        it.deprecatedSince()),
                entry.registered(),
                entry.connectorEnabled(),
                entry.state(),
                entry.created());
    }

    private static boolean matches(Filter filter, CatalogAction action) {
        OfferedAction it = action.action();
        return filter.connector().map(it.connector()::equals).orElse(true)
                && filter.category().map(it.category()::equalsIgnoreCase).orElse(true)
                && filter.tag().map(it.tags()::contains).orElse(true)
                && filter.search().map(words -> text(it).contains(lower(words))).orElse(true)
                && filter.enabled().map(wanted -> wanted == action.isEnabled()).orElse(true);
    }

    private static String text(OfferedAction action) {
        return lower(Stream.concat(
                        Stream.of(action.id(), action.displayName(), action.description()), action.tags().stream())
                .collect(Collectors.joining("\n")));
    }

    private static String lower(String text) {
        return text.toLowerCase(Locale.ROOT);
    }

    @Override
    public synchronized Optional<CatalogAction> action(String id) {
        Subject subject = Subject.action(id);
        Optional<Version> live = live(subject);
        return Optional.ofNullable(actions.get(subject))
                .map(versions -> versions.get(live.orElseGet(versions::lastKey)))
                .map(it -> new CatalogAction(
                        it.item,
                        live.isPresent(),
                        connector(it.item.connector())
                                .map(CatalogConnector::isEnabled)
                                .orElse(true),
                        state(subject),
                        it.created));
    }

    @Override
    public synchronized Turned turn(
            Subject subject, boolean on, Optional<String> reason, OptionalLong expected, Actor by) {
        if (!connectors.containsKey(subject) && !actions.containsKey(subject)) {
            return new Turned.Unknown();
        }
        SwitchState state = state(subject);
        if (expected.isPresent() && expected.getAsLong() != state.revision()) {
            return new Turned.OtherRevision(state.revision());
        }
        if (state.on() != on) {
            switches.put(
                    subject,
                    new SwitchState(
                            on, state.revision() + 1, Optional.of(new SwitchState.Change(clock.now(), by, reason))));
        }
        return new Turned.Done(state(subject));
    }

    @Override
    public synchronized Off off() {
        return new Off(off(Subject.Kind.CONNECTOR), off(Subject.Kind.ACTION));
    }

    private Set<String> off(Subject.Kind kind) {
        return switches.entrySet().stream()
                .filter(it -> it.getKey().kind() == kind && !it.getValue().on())
                .map(it -> it.getKey().id())
                .collect(Collectors.toUnmodifiableSet());
    }
}
