package dev.flowstone.testkit.conformance;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.template.WorkflowTemplate;
import dev.flowstone.engine.template.WorkflowTemplateDraft;
import dev.flowstone.engine.template.WorkflowTemplateEntry;
import dev.flowstone.engine.template.WorkflowTemplateId;
import dev.flowstone.engine.template.WorkflowTemplates;
import dev.flowstone.engine.template.WorkflowTemplates.Change;
import dev.flowstone.engine.template.WorkflowTemplates.Filter;
import dev.flowstone.engine.template.WorkflowTemplates.Shipped;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonObject;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalInt;
import java.util.OptionalLong;
import java.util.TreeSet;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;

/** What workflow templates owe: versions that never change, tenants apart, official ones for all, releases that don't go back. */
public abstract class WorkflowTemplatesConformance {
    private static final TenantId ACME = new TenantId("acme");
    private static final TenantId GLOBEX = new TenantId("globex");
    private static final TenantId HOUSE = WorkflowTemplates.HOUSE;
    private static final WorkflowTemplateId POLL = new WorkflowTemplateId("poll");
    private static final Actor ANN = new Actor("user", "ann");
    private static final Actor BOB = new Actor("user", "bob");
    private static final Filter ALL = new Filter(Optional.empty(), Optional.empty(), Optional.empty());

    private WorkflowTemplates templates;

    /** Only {@link #openTemplates} fills the field, before each test. */
    @SuppressWarnings("NullAway.Init")
    protected WorkflowTemplatesConformance() {}

    /** Templates of which there are none yet. Called before each test. */
    protected abstract WorkflowTemplates open() throws Exception;

    @BeforeEach
    final void openTemplates() throws Exception {
        templates = open();
    }

    private static WorkflowTemplateDraft draft(String name) {
        return draft(name, "ops");
    }

    private static WorkflowTemplateDraft draft(String name, String category) {
        return new WorkflowTemplateDraft(
                name,
                "Looks again and again.",
                category,
                JsonObject.builder().put("startNode", name).build(),
                JsonObject.builder().put("type", "object").build(),
                Optional.of("https://example.com/poll.png"),
                Optional.of("Ann"),
                List.of("http", "Zeit, \"a\" {b}"));
    }

    private WorkflowTemplate made(Change change) {
        return assertInstanceOf(Change.Made.class, change).template();
    }

    private WorkflowTemplate create(TenantId owner, String name) throws Exception {
        return made(templates.create(owner, POLL, draft(name), ANN));
    }

    private Optional<WorkflowTemplate> find(TenantId tenant, int version) throws Exception {
        return templates.find(tenant, POLL, version == 0 ? OptionalInt.empty() : OptionalInt.of(version));
    }

    private List<String> listed(TenantId tenant, Filter filter) throws Exception {
        return templates.list(tenant, filter, Optional.empty(), 100).stream()
                .map(it -> it.id().value())
                .toList();
    }

    @Test
    void aTemplateHasAllThatItSaysAndIsUnofficial() throws Exception {
        WorkflowTemplate template = create(ACME, "one");

        assertEquals(draft("one"), template.draft());
        assertFalse(template.official());
        assertTrue(template.enabled());
        assertEquals(1, template.revision());
        assertEquals(1, template.version());
        assertEquals(ANN, template.created().by());
        assertEquals(Optional.of(template), find(ACME, 0));
        WorkflowTemplateEntry entry =
                templates.list(ACME, ALL, Optional.empty(), 10).getFirst();
        assertEquals(draft("one").tags(), entry.tags());
        assertEquals(draft("one").thumbnail(), entry.thumbnail());
        assertEquals(template.created(), entry.created());
    }

    @Test
    void versionsStandSideBySideAndFollowTheRevisionThatWasRead() throws Exception {
        WorkflowTemplate one = create(ACME, "one");

        assertEquals(new Change.OtherRevision(1), templates.write(ACME, POLL, draft("two"), OptionalLong.of(7), BOB));
        WorkflowTemplate two = made(templates.write(ACME, POLL, draft("two"), OptionalLong.of(1), BOB));
        assertEquals(2, two.version());
        assertEquals(2, two.revision());
        assertEquals(BOB, two.written().by());
        assertEquals(one.created(), two.created());
        Change again = templates.write(ACME, POLL, draft("two"), OptionalLong.of(1), BOB);
        assertEquals(new Change.Made(false, two), again, "it says the same already");

        WorkflowTemplate first = find(ACME, 1).orElseThrow();
        assertEquals(draft("one"), first.draft());
        assertEquals(one.written(), first.written());
        assertEquals(2, first.latest());
        assertEquals(Optional.of(two), find(ACME, 0));
        assertEquals(Optional.empty(), find(ACME, 3));
        assertEquals(new Change.Unknown(), templates.write(GLOBEX, POLL, draft("two"), OptionalLong.empty(), ANN));
    }

    @Test
    void aNameIsTakenOnceAndARepetitionIsNoOther() throws Exception {
        WorkflowTemplate one = create(ACME, "one");

        assertEquals(new Change.Made(false, one), templates.create(ACME, POLL, draft("one"), BOB));
        assertEquals(new Change.Taken(), templates.create(ACME, POLL, draft("two"), BOB));
        create(GLOBEX, "two");
        assertEquals(draft("one"), find(ACME, 0).orElseThrow().draft());
        assertEquals(draft("two"), find(GLOBEX, 0).orElseThrow().draft());
    }

    @Test
    void oneIsTurnedOffAndOnAtTheRevisionThatWasRead() throws Exception {
        create(ACME, "one");

        assertEquals(new Change.OtherRevision(1), templates.enable(ACME, POLL, false, OptionalLong.of(2), BOB));
        WorkflowTemplate off = made(templates.enable(ACME, POLL, false, OptionalLong.of(1), BOB));
        assertFalse(off.enabled());
        assertEquals(2, off.revision());
        assertEquals(BOB, off.changed().by());
        assertEquals(new Change.Made(false, off), templates.enable(ACME, POLL, false, OptionalLong.of(1), ANN));
        assertFalse(made(templates.write(ACME, POLL, draft("two"), OptionalLong.empty(), ANN))
                .enabled());
        assertTrue(made(templates.enable(ACME, POLL, true, OptionalLong.empty(), ANN))
                .enabled());
        assertEquals(new Change.Unknown(), templates.enable(GLOBEX, POLL, false, OptionalLong.empty(), ANN));
    }

    @Test
    void officialOnesAreSeenByAllAndChangedByTheHouse() throws Exception {
        create(HOUSE, "house");

        assertTrue(find(ACME, 0).orElseThrow().official());
        assertEquals(List.of("poll"), listed(GLOBEX, ALL));
        assertEquals(new Change.Official(), templates.create(ACME, POLL, draft("own"), ANN));
        assertEquals(new Change.Unknown(), templates.write(ACME, POLL, draft("own"), OptionalLong.empty(), ANN));
        assertEquals(new Change.Unknown(), templates.enable(ACME, POLL, false, OptionalLong.empty(), ANN));
        assertTrue(find(ACME, 0).orElseThrow().enabled());
    }

    @Test
    void ownOnesGoBeforeOfficialOnesThatCameLater() throws Exception {
        create(ACME, "own");
        templates.ship(List.of(new Shipped(POLL, 1, draft("shipped"))), BOB);

        assertEquals(draft("own"), find(ACME, 0).orElseThrow().draft());
        assertEquals(draft("shipped"), find(GLOBEX, 0).orElseThrow().draft());
        assertEquals(1, templates.list(ACME, ALL, Optional.empty(), 10).size());
        assertFalse(templates.list(ACME, ALL, Optional.empty(), 10).getFirst().official());
    }

    @Test
    void listsAreFilteredAndGoOn() throws Exception {
        for (String id : List.of("a", "b", "c")) {
            templates.create(
                    ACME, new WorkflowTemplateId(id), draft("Name " + id, id.equals("c") ? "people" : "ops"), ANN);
        }
        templates.ship(List.of(new Shipped(POLL, 1, draft("Official"))), BOB);

        assertEquals(List.of("a", "b", "c", "poll"), listed(ACME, ALL));
        List<WorkflowTemplateEntry> rest = templates.list(ACME, ALL, Optional.of(new WorkflowTemplateId("a")), 2);
        assertEquals(List.of("b", "c"), rest.stream().map(it -> it.id().value()).toList());
        assertEquals(List.of("c"), listed(ACME, new Filter(Optional.of("people"), Optional.empty(), Optional.empty())));
        assertEquals(List.of("poll"), listed(ACME, new Filter(Optional.empty(), Optional.of(true), Optional.empty())));
        assertEquals(
                List.of("a", "b", "c"),
                listed(ACME, new Filter(Optional.empty(), Optional.of(false), Optional.empty())));
        assertEquals(List.of("b"), listed(ACME, search("NAME B")));
        assertEquals(List.of("poll"), listed(GLOBEX, search("zeit")), "in a tag");
        assertEquals(List.of(), listed(ACME, search("%")), "no pattern");
    }

    private static Filter search(String text) {
        return new Filter(Optional.empty(), Optional.empty(), Optional.of(text));
    }

    @Test
    void aReleaseShipsOnceAndAnOlderOneTakesNothingBack() throws Exception {
        List<Shipped> first = List.of(new Shipped(POLL, 1, draft("one")));
        List<Shipped> second = List.of(
                new Shipped(POLL, 2, draft("two")), new Shipped(new WorkflowTemplateId("more"), 1, draft("more")));

        assertEquals(1, templates.ship(first, BOB).written());
        assertEquals(0, templates.ship(first, BOB).written());
        templates.enable(HOUSE, POLL, false, OptionalLong.empty(), ANN);
        assertEquals(2, templates.ship(second, BOB).written());
        assertEquals(0, templates.ship(first, BOB).written(), "a node of the release before starts");

        WorkflowTemplate template = find(ACME, 0).orElseThrow();
        assertEquals(draft("two"), template.draft());
        assertEquals(2, template.latest());
        assertFalse(template.enabled(), "who turned it off meant it");
        assertEquals(draft("one"), find(ACME, 1).orElseThrow().draft());
    }

    @Test
    void aReleaseOverwritesNoOfficialOneThatWasMadeHere() throws Exception {
        create(HOUSE, "made here");
        WorkflowTemplates.Shipment shipment = templates.ship(
                List.of(
                        new Shipped(POLL, 7, draft("shipped")),
                        new Shipped(new WorkflowTemplateId("more"), 1, draft("more"))),
                BOB);

        assertEquals(new WorkflowTemplates.Shipment(1, List.of(POLL)), shipment);
        assertEquals(draft("made here"), find(GLOBEX, 0).orElseThrow().draft());
        templates.write(HOUSE, new WorkflowTemplateId("more"), draft("mended"), OptionalLong.empty(), ANN);
        List<Shipped> next = List.of(new Shipped(new WorkflowTemplateId("more"), 2, draft("more and more")));
        assertEquals(new WorkflowTemplates.Shipment(1, List.of()), templates.ship(next, BOB), "a version is overtaken");
    }

    @Test
    void nodesThatStartAtOnceShipOnce() throws Exception {
        List<Shipped> library = List.of(new Shipped(POLL, 3, draft("one")));
        int written = 0;
        try (ExecutorService nodes = Executors.newFixedThreadPool(4)) {
            List<Future<Integer>> all = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                all.add(nodes.submit(() -> templates.ship(library, BOB).written()));
            }
            for (Future<Integer> one : all) {
                written += one.get();
            }
        }
        assertEquals(1, written);
        assertEquals(1, find(ACME, 0).orElseThrow().latest());
    }

    @Test
    void whoWriteAtOnceGetVersionsWithoutAGap() throws Exception {
        create(ACME, "first");
        TreeSet<Integer> versions = new TreeSet<>();
        try (ExecutorService people = Executors.newFixedThreadPool(4)) {
            List<Future<Integer>> writing = new ArrayList<>();
            for (int i = 0; i < 8; i++) {
                WorkflowTemplateDraft draft = draft("name " + i);
                writing.add(people.submit(() -> made(templates.write(ACME, POLL, draft, OptionalLong.empty(), ANN))
                        .version()));
            }
            for (Future<Integer> one : writing) {
                versions.add(one.get());
            }
        }
        assertEquals(8, versions.size());
        assertEquals(9, versions.last());
    }
}
