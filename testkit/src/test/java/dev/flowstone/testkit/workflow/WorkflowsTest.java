package dev.flowstone.testkit.workflow;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertArrayEquals;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.engine.time.Clock;
import dev.flowstone.engine.workflow.CatalogAnswer;
import dev.flowstone.engine.workflow.CatalogAnswer.Done;
import dev.flowstone.engine.workflow.DefinitionCompiler;
import dev.flowstone.engine.workflow.DefinitionFault;
import dev.flowstone.engine.workflow.Published;
import dev.flowstone.engine.workflow.Refusal;
import dev.flowstone.engine.workflow.Saved;
import dev.flowstone.engine.workflow.WorkflowRow;
import dev.flowstone.engine.workflow.WorkflowStatus;
import dev.flowstone.engine.workflow.WorkflowStore;
import dev.flowstone.engine.workflow.Workflows;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.TenantId;
import dev.flowstone.kernel.id.WorkflowId;
import dev.flowstone.testkit.memory.InMemoryDatabase;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import org.junit.jupiter.api.Test;

final class WorkflowsTest {
    private static final TenantId TENANT = new TenantId("acme");
    private static final TenantId OTHER = new TenantId("other");
    private static final WorkflowId ID = new WorkflowId("order");
    private static final OptionalLong ANY = OptionalLong.empty();

    private final WorkflowStore store =
            new InMemoryDatabase(Clock.SYSTEM, 1).ports().workflows();
    private final Workflows workflows = new Workflows(store, WorkflowsTest::compile, Clock.SYSTEM);

    /** A dialect of two words: an id, and what it does. White space doesn't count; {@code broken} doesn't compile. */
    private static DefinitionCompiler.Compilation compile(byte[] source) {
        String[] words = new String(source, UTF_8).strip().split("\\s+", -1);
        if (words[1].equals("broken")) {
            return new DefinitionCompiler.Faulty(
                    List.of(new DefinitionFault("BROKEN", "/1", 1, 7, "it is broken", "mend it")));
        }
        byte[] program = String.join(" ", words).getBytes(UTF_8);
        Sha256 hash = Sha256.digest(program);
        return new DefinitionCompiler.Compiled(
                new WorkflowId(words[0]), words[1], Optional.empty(), hash, hash, program);
    }

    private static byte[] text(String source) {
        return source.getBytes(UTF_8);
    }

    private static <T> T done(CatalogAnswer<T> answer) {
        return switch (answer) {
            case Done<T>(T value) -> value;
            default -> throw new AssertionError("not done: " + answer);
        };
    }

    private static void refused(Refusal refusal, CatalogAnswer<?> answer) {
        assertEquals(
                refusal, assertInstanceOf(CatalogAnswer.Refused.class, answer).refusal());
    }

    private WorkflowRow row() throws Exception {
        return workflows.find(TENANT, ID).orElseThrow();
    }

    private Published activated(String source) throws Exception {
        if (workflows.find(TENANT, ID).filter(it -> it.draft().isEmpty()).isPresent()) {
            done(workflows.openDraft(TENANT, ID, text(source), ANY));
        } else {
            done(workflows.save(TENANT, text(source), ANY));
        }
        return done(workflows.publish(TENANT, ID, true, ANY));
    }

    @Test
    void aDraftIsCreatedThenReplacedThenPublished() throws Exception {
        Saved first = done(workflows.save(TENANT, text("order one"), ANY));
        Saved second = done(workflows.save(TENANT, text("order two"), ANY));
        Published published = done(workflows.publish(TENANT, ID, true, ANY));

        assertTrue(first.created());
        assertEquals(WorkflowStatus.DRAFT, first.row().status());
        assertFalse(second.created());
        assertEquals(1, published.version());
        assertTrue(published.created());
        assertEquals(WorkflowStatus.ACTIVE, row().status());
        assertEquals("two", row().displayName());
        assertTrue(row().draft().isEmpty());
        assertArrayEquals(
                text("order two"),
                workflows.version(TENANT, ID, 1).orElseThrow().source());
    }

    @Test
    void publishingAgainAnswersTheSameVersion() throws Exception {
        activated("order one");

        Published again = done(workflows.publish(TENANT, ID, true, ANY));

        assertEquals(1, again.version());
        assertFalse(again.created());
    }

    @Test
    void whiteSpaceMakesNoVersion() throws Exception {
        activated("order one");

        Published spaced = activated("  order   one ");

        assertEquals(1, spaced.version());
        assertFalse(spaced.created());
        assertTrue(row().draft().isEmpty());
    }

    @Test
    void theNextDraftStandsBesideTheActiveVersionUntilItIsPublished() throws Exception {
        activated("order one");

        Saved opened = done(workflows.openDraft(TENANT, ID, ANY));
        assertTrue(opened.created());
        assertArrayEquals(text("order one"), opened.row().draft().orElseThrow());
        assertFalse(done(workflows.openDraft(TENANT, ID, ANY)).created());
        done(workflows.save(TENANT, text("order two"), ANY));
        assertEquals("one", row().displayName());
        assertEquals(1, row().currentVersion());

        assertEquals(2, done(workflows.publish(TENANT, ID, true, ANY)).version());
        assertEquals(2, row().currentVersion());
    }

    @Test
    void aVersionMayBeStagedWithoutBecomingCurrent() throws Exception {
        done(workflows.save(TENANT, text("order one"), ANY));

        Published staged = done(workflows.publish(TENANT, ID, false, ANY));

        assertEquals(1, staged.version());
        assertEquals(WorkflowStatus.DRAFT, row().status());
        assertEquals(0, row().currentVersion());
        assertFalse(done(workflows.publish(TENANT, ID, false, ANY)).created());
        assertEquals(1, done(workflows.publish(TENANT, ID, true, ANY)).version());
        assertEquals(WorkflowStatus.ACTIVE, row().status());
    }

    @Test
    void anEarlierDefinitionComesBackAsItsOwnVersion() throws Exception {
        activated("order one");
        activated("order two");

        Published back = activated("order one");

        assertEquals(1, back.version());
        assertEquals(1, row().currentVersion());
        assertEquals(2, row().latestVersion());
        assertEquals(3, activated("order three").version());
    }

    @Test
    void whatStatesRefuse() throws Exception {
        done(workflows.save(TENANT, text("order one"), ANY));
        refused(Refusal.NEVER_ACTIVATED, workflows.archive(TENANT, ID, ANY));
        refused(Refusal.NEVER_ACTIVATED, workflows.reactivate(TENANT, ID, ANY));
        refused(Refusal.NEVER_ACTIVATED, workflows.discardDraft(TENANT, ID, ANY));

        activated("order one");
        refused(Refusal.ACTIVE_IS_IMMUTABLE, workflows.save(TENANT, text("order two"), ANY));
        refused(Refusal.WAS_ACTIVE, workflows.delete(TENANT, ID, ANY));
        refused(Refusal.NO_DRAFT, workflows.discardDraft(TENANT, ID, ANY));
        refused(Refusal.OTHER_ID, workflows.openDraft(TENANT, ID, text("invoice one"), ANY));

        done(workflows.archive(TENANT, ID, ANY));
        refused(Refusal.ARCHIVED_IS_IMMUTABLE, workflows.save(TENANT, text("order two"), ANY));
        refused(Refusal.ARCHIVED, workflows.openDraft(TENANT, ID, ANY));
        refused(Refusal.ARCHIVED, workflows.publish(TENANT, ID, true, ANY));
        refused(Refusal.ARCHIVED, workflows.release(TENANT, text("order two")));
    }

    @Test
    void archivingAndReactivatingMayBeRepeated() throws Exception {
        activated("order one");

        assertFalse(done(workflows.archive(TENANT, ID, ANY)).enabled());
        assertEquals(
                WorkflowStatus.ARCHIVED,
                done(workflows.archive(TENANT, ID, ANY)).status());
        assertTrue(done(workflows.reactivate(TENANT, ID, ANY)).enabled());
        assertEquals(
                WorkflowStatus.ACTIVE,
                done(workflows.reactivate(TENANT, ID, ANY)).status());
    }

    @Test
    void aDraftIsDeletedWithWhatWasStagedForIt() throws Exception {
        done(workflows.save(TENANT, text("order one"), ANY));
        done(workflows.publish(TENANT, ID, false, ANY));
        done(workflows.save(TENANT, text("order two"), ANY));
        done(workflows.publish(TENANT, ID, false, ANY));

        done(workflows.delete(TENANT, ID, ANY));

        assertTrue(workflows.version(TENANT, ID, 1).isEmpty());
        assertTrue(workflows.version(TENANT, ID, 2).isEmpty());

        assertTrue(workflows.find(TENANT, ID).isEmpty());
        assertInstanceOf(CatalogAnswer.Unknown.class, workflows.delete(TENANT, ID, ANY));
    }

    @Test
    void aFaultyDefinitionIsNeverStored() throws Exception {
        assertInstanceOf(CatalogAnswer.Invalid.class, workflows.save(TENANT, text("order broken"), ANY));
        assertTrue(workflows.find(TENANT, ID).isEmpty());
        assertInstanceOf(CatalogAnswer.Invalid.class, workflows.release(TENANT, text("order broken")));
    }

    @Test
    void anotherTenantSeesNothing() throws Exception {
        activated("order one");

        assertTrue(workflows.find(OTHER, ID).isEmpty());
        assertInstanceOf(CatalogAnswer.Unknown.class, workflows.archive(OTHER, ID, ANY));
    }

    @Test
    void aChangeAtAnotherRevisionThanExpectedIsRefused() throws Exception {
        long seen = done(workflows.save(TENANT, text("order one"), ANY)).row().revision();
        done(workflows.save(TENANT, text("order two"), ANY));

        assertInstanceOf(
                CatalogAnswer.Changed.class, workflows.save(TENANT, text("order three"), OptionalLong.of(seen)));
        assertInstanceOf(CatalogAnswer.Changed.class, workflows.delete(TENANT, ID, OptionalLong.of(seen)));
        assertArrayEquals(text("order two"), row().draft().orElseThrow());
    }

    @Test
    void aReleaseLeavesAnotherDraftAlone() throws Exception {
        assertEquals(1, done(workflows.release(TENANT, text("order one"))).version());
        done(workflows.openDraft(TENANT, ID, text("order drafted"), ANY));

        assertEquals(2, done(workflows.release(TENANT, text("order two"))).version());
        assertFalse(done(workflows.release(TENANT, text("order two"))).created());
        assertArrayEquals(text("order drafted"), row().draft().orElseThrow());

        assertEquals(3, done(workflows.release(TENANT, text("order drafted"))).version());
        assertTrue(row().draft().isEmpty());
    }

    @Test
    void concurrentPublicationsOfOneDraftMakeOneVersion() throws Exception {
        done(workflows.save(TENANT, text("order one"), ANY));
        Callable<Published> publish = () -> done(workflows.publish(TENANT, ID, true, ANY));
        List<Callable<Published>> all = new ArrayList<>();
        for (int i = 0; i < 8; i++) {
            all.add(publish);
        }

        try (var executor = Executors.newVirtualThreadPerTaskExecutor()) {
            for (Future<Published> published : executor.invokeAll(all)) {
                assertEquals(1, published.get().version());
            }
        }
        assertEquals(1, row().latestVersion());
    }
}
