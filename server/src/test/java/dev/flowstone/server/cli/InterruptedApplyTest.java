package dev.flowstone.server.cli;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.kernel.json.JsonBoolean;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.cli.Cli.Said;
import dev.flowstone.server.client.Identity;
import dev.flowstone.server.client.ServerAnswer;
import dev.flowstone.server.client.ServerCall;
import dev.flowstone.server.client.ServerClient;
import dev.flowstone.server.config.FlowstoneConfig;
import dev.flowstone.server.config.Sources;
import dev.flowstone.server.deploy.Contents;
import dev.flowstone.server.deploy.DeployException;
import dev.flowstone.server.deploy.Deployment;
import dev.flowstone.server.deploy.FolderReader;
import dev.flowstone.server.deploy.Piece;
import dev.flowstone.server.deploy.Plan;
import dev.flowstone.server.deploy.Step;
import dev.flowstone.server.deploy.TemplateReader;
import dev.flowstone.server.deploy.TriggerReader;
import dev.flowstone.server.deploy.Wishes;
import dev.flowstone.server.node.Flowstone;
import dev.flowstone.templates.DocumentTemplates;
import dev.flowstone.triggers.condition.Activation;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Base64;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Deployments that end after any step, that meet each other, and whose secrets change. */
@ExtendWith(RemoteServer.Shared.class)
final class InterruptedApplyTest {
    private static final String SECRET = "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3";
    private static final String OTHER = "whsec_OTk5OTk5OTk5OWFiY2RlZjAxMjM0NTY3";
    private static final String HOOK = """
            {"workflowId": "order", "triggerType": "Webhook", "config": {"secrets": ["env:SHOP"]}}""";
    private static final Wishes USUAL = new Wishes(false, false);

    private final RemoteServer server;

    @TempDir
    private Path folder;

    private Optional<ServerClient> client = Optional.empty();

    InterruptedApplyTest(RemoteServer server) {
        this.server = server;
    }

    @AfterEach
    void closeClient() {
        client.ifPresent(ServerClient::close);
    }

    /** It ends here, as a process that is killed. */
    private static final class Killed extends RuntimeException {
        private static final long serialVersionUID = 1L;
    }

    private Deployment deployment(DeployFolder files, Map<String, String> environment) throws Exception {
        return deployment(files, environment, USUAL);
    }

    private Deployment deployment(DeployFolder files, Map<String, String> environment, Wishes wishes) throws Exception {
        FlowstoneConfig config = FlowstoneConfig.of(Sources.of(Map.of(), Map.of(), Optional.empty()));
        TriggerReader triggers =
                new TriggerReader(new Activation(new ScriptExpressions(config.expressions())), environment);
        Contents contents = new FolderReader(
                        Flowstone.definitions(config),
                        triggers,
                        new TemplateReader(new DocumentTemplates(new ScriptExpressions(config.expressions()))),
                        1 << 20)
                .read(folder, "deployment-shop");
        assertTrue(contents.flaws().isEmpty(), contents::toString);
        if (client.isEmpty()) {
            client = Optional.of(new ServerClient(
                    URI.create(server.address()),
                    new Identity(Optional.of(files.tenant()), Optional.empty(), Optional.empty(), Optional.empty())));
        }
        return new Deployment("shop", contents, triggers, client.get(), wishes);
    }

    private static void killedAfter(int steps, Deployment deployment) throws Exception {
        Plan plan = deployment.plan();
        int[] done = {0};
        assertThrows(
                Killed.class,
                () -> deployment.apply(plan, (_, _) -> {
                    if (++done[0] == steps) {
                        throw new Killed();
                    }
                }));
    }

    private static Map<Step.Change, Integer> changes(Step.Change change, int count) {
        return new EnumMap<>(Map.of(change, count));
    }

    @Test
    void whoGoesOnAfterAnyStepMakesNothingTwice() throws Exception {
        DeployFolder files = new DeployFolder(server, folder, "apply-killed");
        files.workflow("order", "one");
        files.manual("by-hand", "order", "");
        killedAfter(1, deployment(files, Map.of()));
        files.workflow("order", "two");
        killedAfter(2, deployment(files, Map.of()));
        files.manual("by-hand", "order", ", \"activationCondition\": \"trigger.a > 1\"");
        killedAfter(1, deployment(files, Map.of()));

        Deployment last = deployment(files, Map.of());
        Plan plan = last.plan();
        assertEquals(false, plan.hasConflicts(), plan::toString);
        last.apply(plan, (_, _) -> {});

        assertEquals(
                changes(Step.Change.UNCHANGED, 2),
                deployment(files, Map.of()).plan().counts());
        List<String> triggers =
                files.done("triggers", "list", "--json", "--all").out().lines().toList();
        assertEquals(1, triggers.size(), triggers::toString);
        assertTrue(triggers.getFirst().contains("trigger.a > 1"), triggers::toString);
        assertTrue(files.done("workflows", "list").out().matches("(?s).*order +Active +2 +2 .*"));
    }

    @Test
    void whoIsKilledAmongTemplatesMakesNoVersionTwice() throws Exception {
        DeployFolder files = new DeployFolder(server, folder, "apply-killed-templates");
        files.file("set.json", "{\"templateSetId\": \"s\", \"displayName\": \"S\", \"team\": \"t\"}");
        String template = """
                {"templateSetId": "s", "templateId": "t", "displayName": "T", "format": "text", "body": "%s"}""";
        files.file("t.json", template.formatted("one"));
        killedAfter(1, deployment(files, Map.of()));
        killedAfter(1, deployment(files, Map.of()));
        files.file("t.json", template.formatted("two"));
        killedAfter(1, deployment(files, Map.of()));
        Deployment last = deployment(files, Map.of());
        Plan plan = last.plan();
        assertEquals(changes(Step.Change.UNCHANGED, 2), plan.counts(), plan::toString);
        last.apply(plan, (_, _) -> {});
        files.file("t.json", template.formatted("three"));
        Deployment third = deployment(files, Map.of());
        third.apply(third.plan(), (step, result) -> assertEquals("version 3", result, step::toString));
    }

    @Test
    void aTemplatesVersionThatOthersWriteAfterThePlanIsNotTurnedOff() throws Exception {
        DeployFolder files = new DeployFolder(server, folder, "apply-race-template");
        files.file("set.json", "{\"templateSetId\": \"s\", \"displayName\": \"S\", \"team\": \"t\"}");
        Path gone = files.file("t.json", """
                {"templateSetId": "s", "templateId": "t", "displayName": "T", "format": "text", "body": "one"}""");
        files.applied();
        Files.delete(gone);
        Deployment pruning = deployment(files, Map.of(), new Wishes(true, false));
        Plan plan = pruning.plan();
        assertEquals(1, plan.counts().get(Step.Change.REMOVE), plan::toString);
        ServerCall write = ServerCall.of("POST", "/templates/s/t/versions")
                .with(JsonObject.builder()
                        .put("displayName", "T")
                        .put("format", "text")
                        .put("body", "theirs")
                        .build());
        assertInstanceOf(ServerAnswer.Done.class, client.orElseThrow().call(write));

        pruning.apply(plan, (_, _) -> {});

        assertEquals(List.of(true, false), List.of(isOn(2), isOn(1)));
    }

    @Test
    void whatIsOffAndBeingTakenOverComesBackThoughThatWasInterrupted() throws Exception {
        DeployFolder files = new DeployFolder(server, folder, "apply-killed-off");
        Path first = Files.createDirectory(folder.resolve(".first"));
        String[] applied = {"apply", first.toString(), "--name", "first", "--prune"};
        Path _ = Files.move(files.workflow("kept", "x"), first.resolve("kept.json"));
        Path set = Files.writeString(
                first.resolve("set.json"), "{\"templateSetId\": \"s\", \"displayName\": \"S\", \"team\": \"t\"}");
        Path template = Files.writeString(first.resolve("t.json"), """
                {"templateSetId": "s", "templateId": "t", "displayName": "T", "format": "text", "body": "one"}""");
        Said _ = files.done(applied);
        Path _ = Files.move(set, folder.resolve("set.json"));
        Path _ = Files.move(template, folder.resolve("t.json"));
        Said _ = files.done(applied);
        killedAfter(1, deployment(files, Map.of(), new Wishes(false, true)));

        Deployment next = deployment(files, Map.of());
        next.apply(next.plan(), (_, _) -> {});

        assertTrue(isOn(2), "its version is off");
        String sets = files.done("templates", "sets", "--json").out();
        assertTrue(sets.contains("\"isEnabled\":true"), sets);
        assertEquals(
                changes(Step.Change.UNCHANGED, 2),
                deployment(files, Map.of()).plan().counts());
    }

    private boolean isOn(int version) throws Exception {
        ServerCall read = ServerCall.of("GET", "/templates/s/t").asking("version", Integer.toString(version));
        ServerAnswer.Done shown =
                assertInstanceOf(ServerAnswer.Done.class, client.orElseThrow().call(read));
        return JsonBoolean.of(true).equals(shown.body().get("configuredEnabled"));
    }

    @Test
    void whoIsKilledBetweenDraftsAndVersionsGoesOn() throws Exception {
        DeployFolder files = new DeployFolder(server, folder, "apply-killed-drafts");
        for (String text : List.of("one", "two")) {
            files.workflow("a", text);
            files.workflow("b", text);
            killedAfter(1, deployment(files, Map.of()));
            assertTrue(files.done("workflows", "show", "b", "--version", "draft", "--json")
                    .out()
                    .contains(text));
            Deployment next = deployment(files, Map.of());
            Plan plan = next.plan();
            assertEquals(false, plan.hasConflicts(), plan::toString);
            next.apply(plan, (_, _) -> {});
        }
        assertTrue(files.done("workflows", "list").out().matches("(?s).*\nb +Active +2 +2 .*"));
    }

    @Test
    void ofTwoAtOnceOneIsTold() throws Exception {
        DeployFolder files = new DeployFolder(server, folder, "apply-two");
        files.workflow("order", "one");
        Deployment one = deployment(files, Map.of());
        Deployment other = deployment(files, Map.of());
        Plan plan = one.plan();
        other.apply(other.plan(), (_, _) -> {});
        DeployException refused = assertThrows(DeployException.class, () -> one.apply(plan, (_, _) -> {}));
        assertTrue(
                refused.answer() instanceof ServerAnswer.Refused(int status, JsonObject _) && status == 412,
                () -> refused.answer().toString());
        assertEquals("what deployment 'shop' has made", refused.getMessage());
    }

    @Test
    void whatOthersChangeBetweenPlanAndDeedStopsIt() throws Exception {
        DeployFolder files = new DeployFolder(server, folder, "apply-race");
        files.workflow("order", "one");
        Deployment mine = deployment(files, Map.of());
        Plan plan = mine.plan();
        files.done("workflows", "put", "--file", folder.resolve("order.json").toString());
        DeployException refused = assertThrows(DeployException.class, () -> mine.apply(plan, (_, _) -> {}));
        assertEquals("workflow order", refused.getMessage());
        assertTrue(
                refused.answer() instanceof ServerAnswer.Refused(int status, JsonObject _) && status == 412,
                () -> refused.answer().toString());
    }

    @Test
    void secretsComeFromTheEnvironmentAndAreReplacedThere() throws Exception {
        DeployFolder files = new DeployFolder(server, folder, "apply-secrets");
        files.workflow("order", "one");
        files.file("hook.json", HOOK);
        Deployment first = deployment(files, Map.of("SHOP", SECRET));
        first.apply(first.plan(), (_, _) -> {});
        assertEquals(
                changes(Step.Change.UNCHANGED, 2),
                deployment(files, Map.of("SHOP", SECRET)).plan().counts());
        Deployment rotated = deployment(files, Map.of("SHOP", OTHER));
        Plan plan = rotated.plan();
        assertTrue(plan.steps().toString().contains("its secrets change"), plan::toString);
        assertTrue(!plan.toString().contains("whsec_"), "nobody is shown a secret");
        rotated.apply(plan, (_, _) -> {});
        assertEquals(
                changes(Step.Change.UNCHANGED, 2),
                deployment(files, Map.of("SHOP", OTHER)).plan().counts());
        assertTrue(!files.done("workflows", "show", "deployment-shop").out().contains("whsec_"));
    }

    @Test
    void aLedgerInTheMiddleHasNoSecret() throws Exception {
        DeployFolder files = new DeployFolder(server, folder, "apply-ledger-secret");
        files.workflow("order", "one");
        files.file("hook.json", HOOK);
        killedAfter(1, deployment(files, Map.of("SHOP", SECRET)));
        String kept = files.done("workflows", "show", "deployment-shop", "--version", "draft", "--json")
                .out();
        String next =
                kept.replaceFirst("(?s).*\"triggers\":\\{\"hook\":\\{[^}]*\"next\":\"([A-Za-z0-9+/=]+)\".*", "$1");
        String words = new String(Base64.getDecoder().decode(next), UTF_8);
        assertTrue(words.contains("env:SHOP"), words);
        assertTrue(!words.contains("whsec_") && !kept.contains("whsec_"), words);
    }

    @Test
    void whatOthersMadeWhileAnApplyWasInterruptedIsNotPruned() throws Exception {
        DeployFolder files = new DeployFolder(server, folder, "apply-foreign-prune");
        files.workflow("a", "one");
        Path planned = files.workflow("b", "ours");
        killedAfter(1, deployment(files, Map.of()));
        files.workflow("b", "theirs");
        files.done("workflows", "put", "--file", planned.toString());
        files.done("workflows", "publish", "b");
        Files.delete(planned);

        Said pruned = files.applied("--prune", "--overwrite");
        assertTrue(pruned.out().contains("yielded"), pruned::toString);
        String listed = files.done("workflows", "list").out();
        assertTrue(listed.matches("(?s).*\nb +Active .*"), listed);
        assertEquals("Nothing to do: 1 unchanged.\n", files.applied("--prune").out());
    }

    @Test
    void anotherDraftIsNeverReplacedAlsoAfterAnApplyThatHadNothingToDo() throws Exception {
        DeployFolder files = new DeployFolder(server, folder, "apply-foreign-draft");
        files.workflow("order", "one");
        files.applied();
        Path anna = files.workflow("order", "of Anna");
        files.done("workflows", "draft", "order", "--file", anna.toString());
        files.workflow("order", "one");
        assertEquals("Nothing to do: 1 unchanged.\n", files.applied().out());
        files.workflow("order", "two");
        Said told = files.apply();
        assertEquals(1, told.exit(), told::toString);
        assertTrue(told.out().contains("conflict"), told::toString);
        assertTrue(files.done("workflows", "show", "order", "--version", "draft", "--json")
                .out()
                .contains("of Anna"));
    }

    @Test
    void aSecretThatOthersHaveReplacedIsAConflict() throws Exception {
        DeployFolder files = new DeployFolder(server, folder, "apply-foreign-secret");
        files.workflow("order", "one");
        files.file("hook.json", HOOK);
        Deployment first = deployment(files, Map.of("SHOP", SECRET));
        first.apply(first.plan(), (_, _) -> {});
        String id = triggers(files).replaceFirst("(?s).*\"id\":\"([0-9a-f-]{36})\".*", "$1");
        Path theirs = files.file("put.txt", "{\"config\": {\"secrets\": [\"%s\"]}}".formatted(OTHER));
        files.done("triggers", "put", id, "--file", theirs.toString());
        assertEquals(
                1, deployment(files, Map.of("SHOP", SECRET)).plan().counts().get(Step.Change.CONFLICT));
        Deployment over = deployment(files, Map.of("SHOP", SECRET), new Wishes(false, true));
        Plan plan = over.plan();
        assertTrue(plan.steps().toString().contains("its secrets are sent again"), plan::toString);
        over.apply(plan, (_, _) -> {});
        assertEquals(
                changes(Step.Change.UNCHANGED, 2),
                deployment(files, Map.of("SHOP", SECRET)).plan().counts());
    }

    @Test
    void aTriggerIsKnownAsSoonAsItIsMade() throws Exception {
        DeployFolder files = new DeployFolder(server, folder, "apply-known");
        files.workflow("order", "one");
        Path gone = files.manual("first", "order", "");
        files.manual("second", "order", "");
        killedAfter(3, deployment(files, Map.of()));
        Files.delete(gone);
        files.applied("--prune", "--overwrite");
        assertEquals(1, triggers(files).lines().count());
    }

    @Test
    void whatWasBegunForAnotherWorkflowIsMadeForTheOneThatIsMeantNow() throws Exception {
        DeployFolder files = new DeployFolder(server, folder, "apply-moved");
        files.workflow("a", "one");
        files.workflow("b", "one");
        files.manual("start", "a", "");
        killedAfter(3, deployment(files, Map.of()));
        files.manual("start", "b", "");
        files.applied();
        String listed = triggers(files);
        assertEquals(1, listed.lines().count(), listed);
        assertTrue(listed.contains("\"workflowId\":\"b\""), listed);
        assertEquals("Nothing to do: 3 unchanged.\n", files.applied().out());
    }

    @Test
    void whatWasBegunAndNeverMadeDoesNotStandInTheWay() throws Exception {
        DeployFolder files = new DeployFolder(server, folder, "apply-never-made");
        Path gone = files.workflow("a", "one");
        files.workflow("b", "one");
        files.manual("start", "a", "");
        killedAfter(2, deployment(files, Map.of()));
        files.done("workflows", "archive", "a");
        Files.delete(gone);
        files.manual("start", "b", "");
        files.applied();
        String listed = triggers(files);
        assertEquals(1, listed.lines().count(), listed);
        assertTrue(listed.contains("\"workflowId\":\"b\""), listed);
    }

    @Test
    void aTriggerIsRemovedOnlyAfterAnotherIsInItsPlace() throws Exception {
        DeployFolder files = new DeployFolder(server, folder, "apply-instead");
        files.workflow("order", "one");
        files.manual("start", "order", "");
        Deployment first = deployment(files, Map.of());
        first.apply(first.plan(), (_, _) -> {});
        String old = triggers(files);
        files.file("start.json", """
                {"name": "start", "workflowId": "other", "triggerType": "Manual"}""");
        Path other = files.workflow("other", "one");
        Deployment replacing = deployment(files, Map.of());
        Plan plan = new Plan(replacing.plan().steps().stream()
                .filter(step -> step.kind() == Piece.Kind.TRIGGER)
                .toList());
        assertEquals(Map.of(Step.Change.REPLACE, 1), plan.counts());
        // The workflow that it starts isn't made: the server refuses it.
        assertThrows(DeployException.class, () -> replacing.apply(plan, (_, _) -> {}));
        assertEquals(old, triggers(files));
        files.applied();
        assertEquals(1, triggers(files).lines().count());
        assertTrue(triggers(files).contains("\"workflowId\":\"other\""), other::toString);
    }

    private static String triggers(DeployFolder files) {
        return files.done("triggers", "list", "--json", "--all").out();
    }

    @Test
    void whatWasBegunAndRemovedByOthersIsMadeAnewIfThatIsAsked() throws Exception {
        DeployFolder files = new DeployFolder(server, folder, "apply-begun");
        files.workflow("order", "one");
        files.manual("by-hand", "order", "");
        killedAfter(2, deployment(files, Map.of()));
        killedAfter(1, deployment(files, Map.of(), new Wishes(false, true)));
        String listed = files.done("triggers", "list", "--json", "--all").out();
        assertEquals(1, listed.lines().count(), listed);

        String id = listed.replaceFirst("(?s).*\"id\":\"([0-9a-f-]{36})\".*", "$1");
        files.done("triggers", "remove", id);
        Said told = files.apply();
        assertEquals(1, told.exit(), told::toString);
        assertTrue(told.err().contains("stopped at trigger by-hand, after 0 of 1"), told::toString);
        assertTrue(told.err().contains("--overwrite makes another"), told::toString);
        files.applied("--overwrite");
        assertTrue(files.applied().out().startsWith("Nothing to do"));
    }

    @Test
    void aTriggerOfAnotherTypeIsReplaced() throws Exception {
        DeployFolder files = new DeployFolder(server, folder, "apply-replace");
        files.workflow("order", "one");
        files.manual("start", "order", "");
        Deployment first = deployment(files, Map.of());
        first.apply(first.plan(), (_, _) -> {});
        files.file("start.json", """
                {"name": "start", "workflowId": "order", "triggerType": "Event", "isEnabled": false,
                 "config": {"source": "external", "types": ["paid"], "subjects": ["o-*"]}}""");
        killedAfter(1, deployment(files, Map.of()));
        files.file("start.json", """
                {"name": "start", "workflowId": "order", "triggerType": "Event", "isEnabled": false,
                 "config": {"source": "external", "types": ["paid"]}}""");
        Deployment less = deployment(files, Map.of());
        less.apply(less.plan(), (_, _) -> {});
        String listed = files.done("triggers", "list", "--json", "--all").out();
        assertEquals(1, listed.lines().count(), listed);
        assertTrue(!listed.contains("subjects"), listed);
        assertEquals(
                changes(Step.Change.UNCHANGED, 2),
                deployment(files, Map.of()).plan().counts());
    }
}
