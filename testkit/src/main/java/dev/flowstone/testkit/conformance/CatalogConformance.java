package dev.flowstone.testkit.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.catalog.Catalog;
import dev.flowstone.engine.catalog.Catalog.Filter;
import dev.flowstone.engine.catalog.Catalog.Turned;
import dev.flowstone.engine.catalog.CatalogAction;
import dev.flowstone.engine.catalog.Off;
import dev.flowstone.engine.catalog.Offer;
import dev.flowstone.engine.catalog.OfferedAction;
import dev.flowstone.engine.catalog.OfferedConnector;
import dev.flowstone.engine.catalog.Subject;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.json.JsonObject;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.Set;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What a catalog owes: an entry for each id, the newest that somebody has; nothing is lost, and what is off stays off. */
public abstract class CatalogConformance {
    private static final Actor ANN = new Actor("user", "ann");
    private static final Optional<String> WHY = Optional.of("it floods them");
    private static final JsonObject SCHEMA =
            JsonObject.builder().put("type", "object").build();

    private Catalog catalog;

    /** Only {@link #openCatalog} fills the field, before each test. */
    @SuppressWarnings("NullAway.Init")
    protected CatalogConformance() {}

    /** One that is empty. Called before each test. */
    protected abstract Catalog open() throws Exception;

    /** Lets the catalog's time pass. */
    protected abstract void pass(Duration time) throws Exception;

    @BeforeEach
    final void openCatalog() throws Exception {
        catalog = open();
    }

    private static OfferedConnector connector(String id, String version) {
        return new OfferedConnector(
                id,
                version,
                "Name of " + id,
                "What it is.",
                Optional.of("https://example.com/icon.svg"),
                Optional.empty(),
                true,
                false,
                Optional.of("ApiKey"),
                Optional.of(SCHEMA),
                List.of("tickets", "notes"));
    }

    private static OfferedAction action(String id, String version, String description) {
        return new OfferedAction(
                id,
                id.substring(0, id.indexOf('.')),
                version,
                "Name of " + id,
                description,
                "Data",
                List.of("json", "Map_%"),
                SCHEMA,
                JsonObject.EMPTY,
                true,
                Optional.of("take another"),
                Optional.of("1.0.0"));
    }

    /** A node's connector {@code acme} with an action of this version. */
    private static Offer acme(String version, String description) {
        return new Offer(List.of(connector("acme", version)), List.of(action("acme.make", version, description)));
    }

    private CatalogAction make() throws Exception {
        return catalog.action("acme.make").orElseThrow();
    }

    private static List<String> ids(List<CatalogAction> actions) {
        return actions.stream().map(it -> it.action().id()).toList();
    }

    @Test
    void whatANodeHasIsThereAsItSaidIt() throws Exception {
        catalog.register("one", acme("1.2.0", "Makes."));

        CatalogAction made = make();
        assertEquals(action("acme.make", "1.2.0", "Makes."), made.action());
        assertTrue(made.registered() && made.isEnabled(), made::toString);
        assertEquals(0, made.state().revision());
        assertEquals(
                connector("acme", "1.2.0"),
                catalog.connector("acme").orElseThrow().connector());
        assertEquals(Optional.empty(), catalog.action("acme"));
        assertEquals(Optional.empty(), catalog.connector("acme.make"));
    }

    @Test
    void whatIsEnteredIsNoNodesAndTakesNothingFromOne() throws Exception {
        catalog.register("one", acme("1.2.0", "Makes."));

        catalog.enter(new Offer(List.of(connector("crm", "1.0.0")), List.of(action("crm.note", "1.0.0", "Notes."))));

        CatalogAction entered = catalog.action("crm.note").orElseThrow();
        assertEquals(action("crm.note", "1.0.0", "Notes."), entered.action());
        assertFalse(entered.registered(), entered::toString);
        assertFalse(catalog.connector("crm").orElseThrow().registered());
        assertTrue(make().registered(), "what a node has is taken from it");
        catalog.register("one", acme("1.2.0", "Makes."));
        assertTrue(catalog.action("crm.note").isPresent(), "it is forgotten");
    }

    @Test
    void aListHasNoSchemas() throws Exception {
        catalog.register("one", acme("1.2.0", "Makes."));

        OfferedAction listed =
                catalog.actions(Filter.ALL, Optional.empty(), 10).getFirst().action();
        assertEquals(JsonObject.EMPTY, listed.parameterSchema());
        assertEquals(JsonObject.EMPTY, listed.outputSchema());
        assertEquals("Makes.", listed.description());
        OfferedConnector connector =
                catalog.connectors(Optional.empty(), 10).getFirst().connector();
        assertEquals(Optional.empty(), connector.configSchema());
        assertEquals(List.of("tickets", "notes"), connector.capabilities());
    }

    @Test
    void theSameAgainChangesNothingAndOfOneVersionTheLastCounts() throws Exception {
        catalog.register("one", acme("1.2.0", "Makes."));
        CatalogAction first = make();

        catalog.register("two", acme("1.2.0", "Makes."));
        assertEquals(first, make());

        catalog.register("two", acme("1.2.0", "Makes one."));
        assertEquals("Makes one.", make().action().description());
        assertEquals(first.created(), make().created());
    }

    @Test
    void anOlderNodeBesideANewerOneTakesNothingBack() throws Exception {
        catalog.register("new", acme("1.10.0", "Newer."));
        catalog.register("old", acme("1.9.0", "Older."));
        assertEquals("Newer.", make().action().description(), "the number counts, not its text");
        assertTrue(catalog.seen("old"));
        assertEquals("1.10.0", make().action().version());

        catalog.leave("new");

        assertEquals("Older.", make().action().description(), "after a way back, what is there counts");
        assertTrue(make().registered());
        assertEquals(
                "1.9.0", catalog.connector("acme").orElseThrow().connector().version());
        catalog.register("new", acme("1.10.0", "Newer."));
        assertEquals("Newer.", make().action().description());
    }

    @Test
    void whatNobodyHasAnyMoreStaysAndIsToldAsThat() throws Exception {
        catalog.register("one", acme("1.0.0", "Makes."));
        catalog.register("one", new Offer(List.of(connector("other", "1.0.0")), List.of()));

        assertFalse(make().registered());
        assertEquals("Makes.", make().action().description());
        assertFalse(catalog.connector("acme").orElseThrow().registered());
        assertEquals(List.of("acme.make"), ids(catalog.actions(Filter.ALL, Optional.empty(), 10)));
    }

    @Test
    void aNodeThatIsSilentHasNothingAndOneThatIsSeenHas() throws Exception {
        catalog.register("one", acme("1.0.0", "Makes."));
        pass(Catalog.SILENT_AFTER.plusSeconds(1));
        assertFalse(make().registered());

        assertTrue(catalog.seen("one"));
        assertTrue(make().registered());
        catalog.leave("one");
        assertFalse(catalog.seen("one"), "it has to say again what it has");
        assertFalse(make().registered());
    }

    @Test
    void actionsAreFoundByWhatTheyAre() throws Exception {
        OfferedAction gone = new OfferedAction(
                "beta.gone",
                "beta",
                "1.0.0",
                "Gone",
                "Counts 100% of it: \u00dcBUNG \u0130",
                "\u00dcBERSICHT",
                List.of(),
                SCHEMA,
                SCHEMA,
                false,
                Optional.empty(),
                Optional.empty());
        catalog.register(
                "one",
                new Offer(
                        List.of(connector("acme", "1.0.0"), connector("beta", "1.0.0")),
                        List.of(gone, action("acme.b", "1.0.0", "Makes."), action("acme.a", "1.0.0", "Takes."))));

        assertEquals(List.of("acme.a", "acme.b", "beta.gone"), found(null, null, null, null, null));
        assertEquals(List.of("beta.gone"), found("beta", null, null, null, null));
        assertEquals(List.of("acme.a", "acme.b"), found(null, "dATA", null, null, null));
        assertEquals(List.of("acme.a", "acme.b"), found(null, null, "json", null, null));
        assertEquals(List.of("acme.b"), found(null, null, null, "MAKE", null));
        assertEquals(List.of("beta.gone"), found(null, null, null, "0%", null), "no pattern");
        assertEquals(List.of("beta.gone"), found(null, null, null, "\u00dcBUNG \u0130", null), "any letters");
        assertEquals(List.of("beta.gone"), found(null, "\u00dcBERSICHT", null, null, null));
        assertEquals(List.of("acme.a", "acme.b"), found(null, null, null, "map_%", null), "tags, too");
        assertEquals(List.of("acme.a", "acme.b"), found(null, null, null, null, true));
        assertEquals(List.of("beta.gone"), found(null, null, null, null, false));
        assertEquals(List.of(), found("acme", "documents", null, null, null));
        assertEquals(List.of("acme.b"), ids(catalog.actions(Filter.ALL, Optional.of("acme.a"), 1)));
        assertEquals(
                List.of("beta"),
                catalog.connectors(Optional.of("acme"), 10).stream()
                        .map(it -> it.connector().id())
                        .toList());
    }

    private List<String> found(
            @Nullable String connector,
            @Nullable String category,
            @Nullable String tag,
            @Nullable String search,
            @Nullable Boolean enabled)
            throws Exception {
        Filter filter = new Filter(
                Optional.ofNullable(connector),
                Optional.ofNullable(category),
                Optional.ofNullable(tag),
                Optional.ofNullable(search),
                Optional.ofNullable(enabled));
        return ids(catalog.actions(filter, Optional.empty(), 10));
    }

    private Turned turn(Subject subject, boolean on) throws Exception {
        return catalog.turn(subject, on, WHY, OptionalLong.empty(), ANN);
    }

    @Test
    void whatIsTurnedOffStaysOffWhateverNodesSay() throws Exception {
        catalog.register("one", acme("1.0.0", "Makes."));
        Subject subject = Subject.action("acme.make");

        Turned.Done off = assertInstanceOf(Turned.Done.class, turn(subject, false));

        assertEquals(1, off.state().revision());
        assertEquals(WHY, off.state().change().orElseThrow().reason());
        assertEquals(ANN, off.state().change().orElseThrow().by());
        assertEquals(off, turn(subject, false), "nothing to do");
        catalog.register("one", acme("2.0.0", "Makes."));
        catalog.register("two", acme("1.0.0", "Makes."));
        assertFalse(make().isEnabled());
        assertEquals(new Off(Set.of(), Set.of("acme.make")), catalog.off());
        assertEquals(List.of("acme.make"), found(null, null, null, null, false));

        assertInstanceOf(Turned.Done.class, turn(subject, true));

        assertTrue(make().isEnabled());
        assertEquals(2, make().state().revision());
        assertEquals(Off.NOTHING, catalog.off());
    }

    @Test
    void aConnectorThatIsOffTakesItsActionsAlong() throws Exception {
        catalog.register("one", acme("1.0.0", "Makes."));

        assertInstanceOf(Turned.Done.class, turn(Subject.connector("acme"), false));

        assertFalse(make().isEnabled());
        assertTrue(make().state().on(), "nobody has touched it");
        assertFalse(catalog.connector("acme").orElseThrow().isEnabled());
        assertEquals(new Off(Set.of("acme"), Set.of()), catalog.off());
    }

    @Test
    void aChangeForAnotherRevisionIsNotMade() throws Exception {
        catalog.register("one", acme("1.0.0", "Makes."));
        Subject subject = Subject.connector("acme");

        assertEquals(new Turned.Unknown(), turn(Subject.action("acme"), false));
        assertEquals(new Turned.OtherRevision(0), catalog.turn(subject, false, WHY, OptionalLong.of(1), ANN));
        assertInstanceOf(Turned.Done.class, catalog.turn(subject, false, WHY, OptionalLong.of(0), ANN));
        assertEquals(new Turned.OtherRevision(1), catalog.turn(subject, true, WHY, OptionalLong.of(0), ANN));
        assertEquals(Set.of("acme"), catalog.off().connectors());
    }

    @Test
    void ofSeveralChangesForTheSameRevisionOneIsMade() throws Exception {
        catalog.register("one", acme("1.0.0", "Makes."));
        Subject subject = Subject.action("acme.make");
        int made = 0;
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<Turned>> changes = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                changes.add(threads.submit(() -> catalog.turn(subject, false, WHY, OptionalLong.of(0), ANN)));
            }
            for (Future<Turned> change : changes) {
                made += change.get() instanceof Turned.Done ? 1 : 0;
            }
        }
        assertEquals(1, made);
        assertEquals(1, make().state().revision());
    }

    @Test
    void nodesThatStartAtOnceDoNotHinderEachOther() throws Exception {
        try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
            List<Future<?>> starts = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                String node = "node-" + i;
                Offer offer = acme("1." + i + ".0", "Version " + i);
                starts.add(threads.submit(() -> {
                    catalog.register(node, offer);
                    return node;
                }));
            }
            for (Future<?> start : starts) {
                start.get();
            }
        }
        assertEquals("Version 7", make().action().description());
        for (int i = 7; i > 0; i--) {
            assertEquals("1." + i + ".0", make().action().version());
            catalog.leave("node-" + i);
        }
        assertEquals("Version 0", make().action().description());
    }
}
