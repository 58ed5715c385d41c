package dev.flowstone.server.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.server.cli.Cli.Said;
import dev.flowstone.server.e2e.PreparedData;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** A folder becomes what a server has, by the real command; each test is a tenant. */
@ExtendWith(RemoteServer.Shared.class)
final class ApplyTest {
    private static final Path EXAMPLE = Path.of("..", "examples", "deploy");
    private static final String UNCHANGED = "Nothing to do: ";

    private final RemoteServer server;

    @TempDir
    private Path folder;

    ApplyTest(RemoteServer server) {
        this.server = server;
    }

    private DeployFolder as(String tenant) {
        return new DeployFolder(server, folder, tenant);
    }

    @Test
    void theExampleIsPlannedThenAppliedThenThereIsNothingToDo() {
        DeployFolder example = new DeployFolder(server, EXAMPLE, "apply-example");
        Said plan = example.apply("--dry-run", "--exit-code");
        assertEquals(4, plan.exit(), plan::toString);
        assertTrue(plan.out().endsWith("Plan: 5 create.\n"), plan::toString);
        assertEquals(0, example.apply("--dry-run").exit());
        assertEquals("", example.done("workflows", "list").out(), "a dry run sends nothing");

        Said applied = example.applied();
        List<String> steps =
                applied.out().lines().filter(line -> line.startsWith("✓")).toList();
        assertEquals(5, steps.size(), applied::toString);
        assertTrue(steps.get(0).contains("create workflow charge-card: version 1"), steps::toString);
        assertTrue(
                applied.out().indexOf("workflow fulfil-order:") < applied.out().indexOf("trigger order-paid:"));

        assertEquals(UNCHANGED + "5 unchanged.\n", example.applied().out());
        assertEquals(
                UNCHANGED + "5 unchanged.\n",
                example.applied("--prune", "--dry-run", "--exit-code").out());
        Said json = example.applied("--json");
        assertTrue(json.out().startsWith("{\"changes\":["), json::toString);
        assertTrue(json.out().contains("\"deployment\":\"shop\",\"done\":0,\"pending\":0}"), json::toString);
        assertEquals(2, example.done("triggers", "list").out().lines().skip(1).count());
    }

    @Test
    void allThatIsWrongIsToldAndNothingIsSent() throws Exception {
        DeployFolder files = as("apply-faults");
        files.workflow("good", "x");
        files.file("sub/cut.json", "{\"id\": \"cut\",\n \"nodes\": [");
        Files.write(folder.resolve("latin.json"), new byte[] {'{', '"', (byte) 0xe4, '"', ':', '1', '}'});
        files.file("one.json", DeployFolder.definition("twice", "{\"id\": \"a\", \"actionType\": \"core.echo\"}"));
        files.file("two.json", DeployFolder.definition("twice", "{\"id\": \"a\", \"actionType\": \"core.echo\"}"));
        files.file("typo.json", DeployFolder.definition("typo", "{\"id\": \"a\", \"actionType\": \"core.ecco\"}"));
        files.file(
                "never.json",
                "{\"workflowId\": \"good\", \"triggerType\": \"Schedule\",\n \"config\": {\"cron\": \"0 0 30 2 *\"}}");
        files.file("name.json", "{\"workflowId\": \"good\", \"triggerType\": \"Manual\",\n \"name\": \"no/name\"}");
        files.file(
                "hook.json",
                "{\"workflowId\": \"good\", \"triggerType\": \"Webhook\", \"config\": {\"secrets\": [\"env:FLOWSTONE_NO_SUCH\"]}}");
        files.file(
                "spoken.json",
                "{\"workflowId\": \"good\", \"triggerType\": \"Webhook\", \"config\": {\"secrets\": [\"whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3\"]}}");
        files.file(
                "ledger.json",
                DeployFolder.definition("deployment-shop", "{\"id\": \"a\", \"actionType\": \"core.echo\"}"));
        files.file("list.json", "[]");
        files.file("huge.json", "\"" + "x".repeat(70_000) + "\"");
        files.file(".git/config.json", "none of ours");
        files.file("notes.txt", "none of ours");
        Files.createSymbolicLink(folder.resolve("passwd.json"), Path.of("/etc/passwd"));
        Files.createSymbolicLink(folder.resolve("outside"), Path.of("/etc"));

        Said said = files.apply("--set", "http.maxBodyBytes=65536");

        assertEquals(2, said.exit(), said::toString);
        assertEquals("", said.out());
        for (String flaw : List.of(
                "sub/cut.json:2:12: error MALFORMED_JSON",
                "latin.json:1:3: error MALFORMED_JSON",
                "one.json:1:1: error DUPLICATE_NAME",
                "two.json:1:1: error DUPLICATE_NAME",
                "typo.json:2:38: error UNKNOWN_ACTION /nodes/0/actionType",
                "never.json:2:21: error TRIGGER_FORM /config/cron",
                "name.json:2:10: error INVALID_NAME /name",
                "hook.json:1:72: error SECRET_MISSING /config/secrets",
                "spoken.json:1:72: error SECRET_IN_FILE /config/secrets",
                "ledger.json:1:1: error RESERVED_NAME",
                "list.json:1:1: error",
                "huge.json: error TOO_LARGE",
                "passwd.json: error SYMBOLIC_LINK",
                "outside: error SYMBOLIC_LINK",
                "faults; nothing was sent")) {
            assertTrue(said.err().contains(flaw), () -> flaw + " in " + said.err());
        }
        assertFalse(said.err().contains("whsec_MDEy"), "nobody is shown a secret");
        assertFalse(said.err().contains("root:"), "nothing of another file is told");
        assertFalse(said.err().contains("none of ours"), said::err);
        assertEquals("", files.done("workflows", "list").out());
    }

    @Test
    void whatCannotBeMeantIsToldWithoutAServer() throws Exception {
        Files.createDirectories(folder.resolve("empty"));
        for (List<String> call : List.of(
                List.of(
                        "2",
                        "nothing to deploy",
                        "apply",
                        folder.resolve("empty").toString(),
                        "--name",
                        "x"),
                List.of("2", "Missing required option: '--name=NAME'", "apply", EXAMPLE.toString(), "--dry-run"),
                List.of(
                        "2",
                        "can't be read as a folder",
                        "apply",
                        folder.resolve("none").toString(),
                        "--name",
                        "x"),
                List.of("2", "choose one with --name", "apply", folder.toString(), "--name", "Not this"),
                List.of("2", "--exit-code goes with --dry-run", "apply", ".", "--name", "x", "--exit-code"),
                List.of(
                        "2",
                        "a database without one",
                        "apply",
                        ".",
                        "--name",
                        "x",
                        "--data",
                        "x",
                        "--server",
                        "http://127.0.0.1:1"),
                List.of(
                        "3",
                        "nobody answers at",
                        "apply",
                        EXAMPLE.toString(),
                        "--name",
                        "x",
                        "--server",
                        "http://127.0.0.1:1"))) {
            server.refused(
                    Integer.parseInt(call.get(0)),
                    call.get(1),
                    Cli.here(call.subList(2, call.size()).toArray(String[]::new)));
        }
    }

    @Test
    void whatChangesIsAppliedAndWhatOthersChangeIsNotOverwritten() throws Exception {
        DeployFolder files = as("apply-changes");
        files.workflow("order", "one");
        files.manual("by-hand", "order", "");
        files.applied();
        files.workflow("order", "two");
        files.manual("by-hand", "order", ", \"activationCondition\": \"trigger.amount > 1\"");
        Said changed = files.applied();
        assertTrue(changed.out().contains("✓ new version workflow order: version 2"), changed::toString);
        assertTrue(changed.out().contains("✓ update trigger by-hand: "), changed::toString);
        assertTrue(files.applied().out().startsWith(UNCHANGED));

        files.done(
                "workflows",
                "draft",
                "order",
                "--file",
                files.workflow("order", "theirs").toString());
        files.done("workflows", "publish", "order");
        files.workflow("order", "three");
        files.workflow("other", "new");
        Said conflict = files.apply();
        assertEquals(1, conflict.exit(), conflict::toString);
        assertTrue(conflict.out().contains("conflict"), conflict::toString);
        assertTrue(conflict.out().contains("others have changed it: it is at revision"), conflict::toString);
        assertFalse(
                files.done("workflows", "list").out().contains("other "), "nothing is done where one is in conflict");
        assertTrue(files.applied("--overwrite").out().contains("new version workflow order: version 4"));
        assertTrue(files.applied().out().startsWith(UNCHANGED));
    }

    @Test
    void whatOthersMadeIsTakenOverOnlyIfThatIsAsked() throws Exception {
        DeployFolder files = as("apply-foreign");
        files.done("workflows", "put", "--file", files.workflow("same", "x").toString());
        files.done("workflows", "publish", "same");
        files.done("workflows", "put", "--file", files.workflow("theirs", "x").toString());
        Said foreign = files.apply();
        assertEquals(1, foreign.exit(), foreign::toString);
        assertTrue(foreign.out().contains("this deployment hasn't made it"), foreign::toString);
        assertTrue(files.applied("--overwrite").out().contains("create workflow theirs: version 1"));
        Files.delete(folder.resolve("same.json"));
        files.applied("--prune");
        assertTrue(files.done("workflows", "list").out().contains("same  "), "it was equal already, and stayed theirs");
        files.manual("lost", "nowhere", "");
        Said lost = files.apply();
        assertEquals(1, lost.exit(), lost::toString);
        assertTrue(lost.out().contains("its workflow 'nowhere' is neither"), lost::toString);
    }

    @Test
    void whatIsGoneFromTheFolderIsPrunedAndComesBack() throws Exception {
        DeployFolder files = as("apply-prune");
        files.workflow("stays", "x");
        files.workflow("goes", "x");
        files.manual("by-hand", "stays", "");
        files.applied();
        files.done(
                "triggers",
                "create",
                "--file",
                files.file("theirs.json", "{\"workflowId\": \"stays\", \"triggerType\": \"Manual\"}")
                        .toString());
        Files.delete(folder.resolve("theirs.json"));
        Files.delete(folder.resolve("goes.json"));
        Files.delete(folder.resolve("by-hand.json"));

        Said left = files.applied();
        assertTrue(left.out().contains("gone from the folder; --prune removes it"), left::toString);
        assertTrue(left.out().endsWith("Nothing to do: 2 left, 1 unchanged.\n"), left::toString);
        Said pruned = files.applied("--prune");
        assertTrue(pruned.out().contains("✓ remove trigger by-hand: removed"), pruned::toString);
        assertTrue(pruned.out().contains("✓ remove workflow goes: archived"), pruned::toString);
        assertEquals(1, files.done("triggers", "list").out().lines().skip(1).count(), "another's trigger stays");
        assertEquals(UNCHANGED + "1 unchanged.\n", files.applied("--prune").out());

        files.workflow("goes", "x");
        assertTrue(files.applied().out().contains("new version workflow goes: taken into use again"));
        assertEquals(UNCHANGED + "2 unchanged.\n", files.applied("--prune").out());
    }

    @Test
    void aWorkflowThatATriggerOfTheFolderStartsIsNotPruned() throws Exception {
        DeployFolder files = as("apply-started");
        Path order = files.workflow("order", "x");
        files.manual("by-hand", "order", "");
        files.applied();
        Files.delete(order);
        Said told = files.apply("--prune");
        assertEquals(1, told.exit(), told::toString);
        assertTrue(told.out().contains("its workflow 'order' is neither"), told::toString);
        assertTrue(files.done("workflows", "list").out().matches("(?s).*\\norder +Active.*"));
    }

    @Test
    void whatIsTurnedOffByHandStaysOffAndStandsInNobodysWay() throws Exception {
        DeployFolder files = as("apply-off");
        files.workflow("order", "x");
        files.manual("by-hand", "order", "");
        files.applied();
        String id =
                files.done("triggers", "list", "--json").out().replaceFirst("(?s).*\"id\":\"([0-9a-f-]{36})\".*", "$1");
        files.done("triggers", "disable", id);
        files.manual("by-hand", "order", ", \"activationCondition\": \"trigger.amount > 1\"");
        assertTrue(files.applied().out().contains("✓ update trigger by-hand"));
        String after = files.done("triggers", "show", id, "--json").out();
        assertTrue(after.contains("amount > 1") && after.contains("\"configuredEnabled\":false"), after);
    }

    @Test
    void aFileThatMovesToAnotherDeploymentIsTakenOverAndNotArchivedBehindIt() throws Exception {
        DeployFolder files = as("apply-move");
        Path stays = files.workflow("stays", "x");
        Path moves = files.workflow("moves", "x");
        files.applied();
        Files.delete(stays);
        List<String> other = List.of("apply", folder.toString(), "--name", "other");
        Said told = files.call(other.toArray(String[]::new));
        assertEquals(1, told.exit(), told::toString);
        assertTrue(told.out().contains("deployment 'shop' has made it; --overwrite takes it over"), told::toString);
        Said taken = files.done("apply", folder.toString(), "--name", "other", "--overwrite");
        assertTrue(taken.out().contains("✓ take over workflow moves: taken over"), taken::toString);

        Files.delete(moves);
        files.workflow("stays", "x");
        Said pruned = files.applied("--prune", "--overwrite");
        assertTrue(pruned.out().contains("deployment 'other' has it now"), pruned::toString);
        assertTrue(files.done("workflows", "list").out().matches("(?s).*moves +Active.*"));
        assertEquals(UNCHANGED + "1 unchanged.\n", files.applied("--prune").out());
    }

    @Test
    void aLedgerThatSomebodyHasPublishedIsToldAndNotTakenForNone() throws Exception {
        DeployFolder files = as("apply-published");
        files.workflow("order", "x");
        files.applied();
        files.done("workflows", "publish", "deployment-shop");
        Said told = files.apply("--overwrite");
        assertEquals(2, told.exit(), told::toString);
        assertTrue(told.err().contains("somebody has published or archived it"), told::toString);
    }

    @Test
    void workflowsThatCallEachOtherAreDeployedWithAWord() throws Exception {
        DeployFolder files = as("apply-circle");
        files.caller("ping", "pong");
        files.caller("pong", "ping");
        Said said = files.applied();
        assertTrue(said.err().contains("call each other are published one after another: ping, pong"), said::toString);
        assertTrue(files.applied().out().startsWith(UNCHANGED));
    }

    @Test
    void whoIsKilledInTheMiddleOfAThousandFilesGoesOn() throws Exception {
        DeployFolder files = as("apply-thousand");
        for (int i = 0; i < 995; i++) {
            files.workflow("w-" + i, "x");
        }
        for (int i = 0; i < 5; i++) {
            files.manual("t-" + i, "w-" + i, "");
        }
        try (Cli.Running applying = Cli.Running.start(
                "apply",
                folder.toString(),
                "--name",
                "shop",
                "--server",
                server.address(),
                "--tenant",
                files.tenant())) {
            applying.lineWith("(120 of 1000)");
            applying.kill();
        }
        Said rest = files.applied();
        assertTrue(
                rest.out()
                        .endsWith(" of "
                                + rest.out()
                                        .lines()
                                        .filter(it -> it.startsWith("✓"))
                                        .count() + ".\n"),
                rest::toString);
        assertFalse(rest.out().contains("(1000 of 1000)"), "what was done is not done again");
        assertEquals(UNCHANGED + "1000 unchanged.\n", files.applied().out());
        assertEquals(5, files.done("triggers", "list").out().lines().skip(1).count());
        long firsts = files.done("workflows", "list", "--all", "--json", "--status", "Active")
                .out()
                .lines()
                .filter(line -> line.contains("\"latestVersion\":1,"))
                .count();
        assertEquals(995, firsts, "each has one version");
    }

    @Test
    void aDatabaseWithoutAServerIsOpened() throws Exception {
        Path data = folder.resolve("data");
        PreparedData.in(data);
        Path files = EXAMPLE;
        Said said = Cli.process("apply", files.toString(), "--name", "shop", "--data", data.toString());
        assertEquals(0, said.exit(), said::toString);
        assertTrue(said.out().endsWith("Applied: 5 of 5.\n"), said::toString);
    }
}
