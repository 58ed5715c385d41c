package dev.flowstone.postgres;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.template.TemplateDraft;
import dev.flowstone.engine.template.TemplateEntry;
import dev.flowstone.engine.template.TemplateFormat;
import dev.flowstone.engine.template.TemplateId;
import dev.flowstone.engine.template.TemplateName;
import dev.flowstone.engine.template.TemplateSet;
import dev.flowstone.engine.template.TemplateSetId;
import dev.flowstone.engine.template.TemplateVersion;
import dev.flowstone.engine.template.TemplateVersionEntry;
import dev.flowstone.engine.template.Templates;
import dev.flowstone.engine.template.Templates.Filter;
import dev.flowstone.engine.template.Templates.Removal;
import dev.flowstone.engine.template.Templates.SetChange;
import dev.flowstone.engine.template.Templates.SetWish;
import dev.flowstone.engine.template.Templates.Written;
import dev.flowstone.kernel.command.Actor;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.json.JsonObject;
import java.sql.SQLException;
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

/** Document templates: rows of one tenant, or everybody's, and versions that never change. */
final class TemplatesTest extends PostgresTest {
    private static final TenantId ACME = new TenantId("acme");
    private static final TenantId GLOBEX = new TenantId("globex");
    private static final TemplateSetId BRIEFS = new TemplateSetId("briefs");
    private static final TemplateName APP = new TemplateName(BRIEFS, new TemplateId("app"));
    private static final Actor ANN = new Actor("user", "ann");
    private static final Filter ALL = new Filter(Optional.empty(), Optional.empty());

    private Templates templates;

    @BeforeEach
    void findTemplates() {
        templates = opened().templates();
    }

    private static TemplateDraft draft(String body) {
        return new TemplateDraft(
                "App",
                TemplateFormat.HTML,
                JsonObject.builder().put("fields", 1).build(),
                body,
                Optional.of("help"));
    }

    private void set(TenantId owner, TemplateSetId id, String team) throws Exception {
        assertInstanceOf(SetChange.Made.class, templates.create(owner, id, "Briefs", team, true, ANN));
    }

    private TemplateVersion written(TenantId owner, TemplateName name, String body) throws Exception {
        return assertInstanceOf(
                        Written.Made.class, templates.write(owner, name, draft(body), OptionalLong.empty(), ANN))
                .version();
    }

    private Optional<TemplateVersion> newest(TenantId tenant) throws Exception {
        return templates.find(tenant, APP, OptionalInt.empty());
    }

    @Test
    void versionsStandSideBySide() throws Exception {
        assertEquals(new Written.NoSet(), templates.write(ACME, APP, draft("one"), OptionalLong.empty(), ANN));
        set(ACME, BRIEFS, "docs");

        TemplateVersion one = written(ACME, APP, "one");
        assertEquals(1, one.version());
        assertEquals(draft("one"), one.draft());
        assertEquals(ANN, one.created().by());
        assertEquals(2, written(ACME, APP, "two").version());
        assertEquals(2, written(ACME, APP, "two").version(), "it says the same already");

        assertEquals(Optional.of(one), templates.find(ACME, APP, OptionalInt.of(1)));
        assertEquals(2, newest(ACME).orElseThrow().version());
        assertEquals(Optional.empty(), templates.find(ACME, APP, OptionalInt.of(3)));
        assertEquals(Optional.empty(), newest(GLOBEX));
        List<TemplateVersionEntry> page = templates.versions(ACME, APP, OptionalInt.empty(), 1);
        assertEquals(2, page.getFirst().version());
        List<TemplateVersionEntry> rest = templates.versions(ACME, APP, OptionalInt.of(2), 10);
        assertEquals(1, rest.size());
        assertEquals(1, rest.getFirst().version());
        assertEquals(one.created(), rest.getFirst().created());
    }

    @Test
    void whatIsOffIsNotMeantWhereNoneIsNamed() throws Exception {
        set(ACME, BRIEFS, "docs");
        written(ACME, APP, "one");
        written(ACME, APP, "two");

        TemplateVersion off = templates.enable(ACME, APP, 2, false, ANN).orElseThrow();

        assertFalse(off.enabled());
        assertEquals(ANN, off.off().orElseThrow().by());
        assertFalse(off.off().orElseThrow().at().isBefore(off.created().at()));
        assertEquals(Optional.of(off), templates.enable(ACME, APP, 2, false, ANN), "it is so already");
        assertEquals(1, newest(ACME).orElseThrow().version());
        assertEquals(Optional.of(off), templates.find(ACME, APP, OptionalInt.of(2)));
        assertEquals(List.of(OptionalInt.of(1)), current());
        assertEquals(3, written(ACME, APP, "two").version(), "one that is off says nothing");
        templates.enable(ACME, APP, 1, false, ANN);
        templates.enable(ACME, APP, 3, false, ANN);
        assertEquals(Optional.empty(), newest(ACME));
        assertEquals(List.of(OptionalInt.empty()), current());
        assertTrue(templates.enable(ACME, APP, 1, true, ANN).orElseThrow().enabled());
        assertEquals(Optional.empty(), templates.enable(ACME, APP, 9, true, ANN));
        assertEquals(Optional.empty(), templates.enable(GLOBEX, APP, 1, false, ANN));
    }

    private List<OptionalInt> current() throws Exception {
        return templates.list(ACME, ALL, Optional.empty(), 10).stream()
                .map(TemplateEntry::current)
                .toList();
    }

    @Test
    void aSetIsChangedAtTheRevisionThatWasRead() throws Exception {
        set(ACME, BRIEFS, "docs");
        assertEquals(new SetChange.Taken(), templates.create(ACME, BRIEFS, "Other", "docs", false, ANN));
        assertFalse(assertInstanceOf(SetChange.Made.class, templates.create(ACME, BRIEFS, "Briefs", "docs", false, ANN))
                .created());
        SetWish off = new SetWish(Optional.empty(), Optional.of("press"), Optional.of(false));

        SetChange change = templates.update(ACME, BRIEFS, off, OptionalLong.of(1), ANN);

        TemplateSet set = assertInstanceOf(SetChange.Made.class, change).set();
        assertEquals("Briefs", set.displayName());
        assertEquals("press", set.team());
        assertFalse(set.enabled());
        assertEquals(2, set.revision());
        assertEquals(new SetChange.OtherRevision(2), templates.update(ACME, BRIEFS, off, OptionalLong.of(1), ANN));
        assertEquals(new SetChange.Unknown(), templates.update(GLOBEX, BRIEFS, off, OptionalLong.empty(), ANN));
        written(ACME, APP, "one");
        assertFalse(newest(ACME).orElseThrow().setEnabled());
        assertEquals(List.of(OptionalInt.empty()), current());
    }

    @Test
    void everybodysAreSeenByAllAndHiddenByOnesOwn() throws Exception {
        set(Templates.EVERYBODY, BRIEFS, "all");
        written(Templates.EVERYBODY, APP, "everybody's");
        TemplateName other = new TemplateName(new TemplateSetId("zoo"), new TemplateId("app"));
        set(ACME, other.set(), "docs");
        written(ACME, other, "zoo");

        assertTrue(newest(ACME).orElseThrow().shared());
        assertTrue(templates.set(GLOBEX, BRIEFS).orElseThrow().shared());
        assertEquals(List.of(other), templates.named(ACME, APP.id(), 10), "one's own comes first");
        assertEquals(List.of(APP), templates.named(GLOBEX, APP.id(), 10));

        assertEquals(new SetChange.WouldHide(), templates.create(ACME, BRIEFS, "Briefs", "docs", false, ANN));
        set(ACME, BRIEFS, "docs");
        assertEquals(Optional.empty(), newest(ACME), "the own set is empty");
        assertEquals(Removal.REMOVED, templates.remove(ACME, BRIEFS));
        assertEquals(Removal.UNKNOWN, templates.remove(ACME, BRIEFS));
        assertTrue(newest(ACME).orElseThrow().shared(), "it is seen again");
        set(ACME, BRIEFS, "docs");
        assertFalse(templates.set(ACME, BRIEFS).orElseThrow().shared());
        assertEquals(List.of(other), templates.named(ACME, APP.id(), 10));
        assertEquals(
                List.of("docs", "docs"),
                templates.sets(ACME, Optional.empty(), Optional.empty(), 10).stream()
                        .map(TemplateSet::team)
                        .toList());
        written(ACME, APP, "ours");
        assertEquals(Removal.IN_USE, templates.remove(ACME, BRIEFS));
        assertEquals("ours", newest(ACME).orElseThrow().draft().body());
        assertEquals("everybody's", newest(GLOBEX).orElseThrow().draft().body());
        assertEquals(Optional.empty(), templates.enable(GLOBEX, APP, 7, false, ANN));
        templates.enable(GLOBEX, APP, 1, false, ANN);
        assertTrue(newest(GLOBEX).orElseThrow().enabled(), "nobody turns off what is everybody's");
    }

    @Test
    void listsAreFilteredAndGoOn() throws Exception {
        for (String id : List.of("a", "b", "c")) {
            TemplateSetId set = new TemplateSetId(id);
            set(ACME, set, id.equals("c") ? "press" : "docs");
            written(ACME, new TemplateName(set, new TemplateId("x")), "x");
            written(ACME, new TemplateName(set, new TemplateId("y")), "y");
        }
        List<String> names = new ArrayList<>();
        Optional<TemplateName> after = Optional.empty();
        for (int i = 0; i < 4; i++) {
            List<TemplateEntry> page = templates.list(ACME, ALL, after, 2);
            page.forEach(entry -> names.add(entry.name().toString()));
            after = page.isEmpty() ? after : Optional.of(page.getLast().name());
        }
        assertEquals(List.of("a/x", "a/y", "b/x", "b/y", "c/x", "c/y"), names);
        Filter press = new Filter(Optional.of("press"), Optional.empty());
        assertEquals(2, templates.list(ACME, press, Optional.empty(), 10).size());
        Filter b = new Filter(Optional.empty(), Optional.of(new TemplateSetId("b")));
        assertEquals(
                "b/x",
                templates.list(ACME, b, Optional.empty(), 10).getFirst().name().toString());
        assertEquals(
                List.of("b", "c"),
                templates.sets(ACME, Optional.empty(), Optional.of(new TemplateSetId("a")), 10).stream()
                        .map(set -> set.id().value())
                        .toList());
    }

    @Test
    void whatATenantWritesIsBounded() throws Exception {
        set(ACME, BRIEFS, "docs");
        set(GLOBEX, BRIEFS, "docs");
        TemplateSetId other = new TemplateSetId("other");
        set(ACME, other, "docs");
        written(ACME, APP, "äö");
        // {"fields":1}, App, äö, help
        assertEquals(12 + 3 + 4 + 4, bytes());
        admin("UPDATE flowstone.template_sets SET bytes = " + (Templates.MOST_BYTES - bytes() - 20)
                + " WHERE tenant = 'acme' AND id = 'other'");

        assertEquals(new Written.TooManyBytes(), templates.write(ACME, APP, draft("xy"), OptionalLong.empty(), ANN));
        assertEquals(1, newest(ACME).orElseThrow().version());
        written(ACME, APP, "x");
        assertEquals(23 + 20, bytes());
        written(GLOBEX, APP, "xy");
    }

    private long bytes() throws Exception {
        return number("SELECT bytes FROM flowstone.template_sets WHERE tenant = 'acme' AND id = 'briefs'");
    }

    @Test
    void aVersionFollowsTheOneThatWasRead() throws Exception {
        set(ACME, BRIEFS, "docs");
        assertInstanceOf(Written.Made.class, templates.write(ACME, APP, draft("one"), OptionalLong.of(0), ANN));
        assertEquals(new Written.OtherVersion(1), templates.write(ACME, APP, draft("two"), OptionalLong.of(0), ANN));
        assertInstanceOf(Written.Made.class, templates.write(ACME, APP, draft("two"), OptionalLong.of(1), ANN));
        assertEquals(2, newest(ACME).orElseThrow().version());
    }

    @Test
    void noChangeOfAVersionIsLetThrough() throws Exception {
        set(ACME, BRIEFS, "docs");
        written(ACME, APP, "one");

        for (String sql : List.of(
                "UPDATE flowstone.template_versions SET body = 'x'",
                "DELETE FROM flowstone.template_versions",
                "TRUNCATE flowstone.template_versions CASCADE")) {
            SQLException refused = assertThrows(SQLException.class, () -> admin(sql));
            assertEquals("23001", refused.getSQLState(), sql);
        }
        assertEquals("one", newest(ACME).orElseThrow().draft().body());
    }

    @Test
    void whoWriteAtOnceGetVersionsWithoutAGap() throws Exception {
        set(ACME, BRIEFS, "docs");
        TreeSet<Integer> versions = new TreeSet<>();
        try (ExecutorService people = Executors.newFixedThreadPool(4)) {
            List<Future<Integer>> writing = new ArrayList<>();
            for (int i = 0; i < 12; i++) {
                String body = "body " + i;
                writing.add(people.submit(() -> written(ACME, APP, body).version()));
            }
            for (Future<Integer> one : writing) {
                versions.add(one.get());
            }
        }
        assertEquals(12, versions.size());
        assertEquals(12, versions.last());
    }
}
