package dev.flowstone.server.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.kernel.json.JsonObject;
import dev.flowstone.server.cli.Cli.Said;
import dev.flowstone.server.client.Identity;
import dev.flowstone.server.client.ServerAnswer;
import dev.flowstone.server.client.ServerClient;
import dev.flowstone.server.config.FlowstoneConfig;
import dev.flowstone.server.config.Sources;
import dev.flowstone.server.deploy.Contents;
import dev.flowstone.server.deploy.DeployException;
import dev.flowstone.server.deploy.Deployment;
import dev.flowstone.server.deploy.FolderReader;
import dev.flowstone.server.deploy.Plan;
import dev.flowstone.server.deploy.Step;
import dev.flowstone.server.deploy.TriggerReader;
import dev.flowstone.server.deploy.Wishes;
import dev.flowstone.server.node.Flowstone;
import dev.flowstone.triggers.condition.Activation;
import java.net.URI;
import java.nio.file.Path;
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
        Contents contents =
                new FolderReader(Flowstone.definitions(config), triggers, 1 << 20).read(folder, "deployment-shop");
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
        files.file("hook.json", """
                {"workflowId": "order", "triggerType": "Webhook", "config": {"secrets": ["env:SHOP"]}}""");
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
