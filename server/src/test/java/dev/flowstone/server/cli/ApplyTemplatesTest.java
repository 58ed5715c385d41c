package dev.flowstone.server.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.server.cli.Cli.Said;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Document templates of a folder, and in which order things are sent; each test is a tenant. */
@ExtendWith(RemoteServer.Shared.class)
final class ApplyTemplatesTest {
    private static final String SET = "{\"templateSetId\": \"briefs\", \"displayName\": \"%s\", \"team\": \"product\"}";
    private static final String TEMPLATE = """
            {"templateSetId": "briefs", "templateId": "mobile", "displayName": "Mobile", "format": "html",
             "fields": {"fields": [{"key": "title", "type": "text"}]}, "bodyFile": "mobile.html"}""";

    private final RemoteServer server;

    @TempDir
    private Path folder;

    ApplyTemplatesTest(RemoteServer server) {
        this.server = server;
    }

    private DeployFolder as(String tenant) {
        return new DeployFolder(server, folder, tenant);
    }

    private static void template(DeployFolder files, String body) throws Exception {
        Path _ = files.file("templates/briefs/set.json", SET.formatted("Briefs"));
        Path _ = files.file("templates/briefs/mobile.json", TEMPLATE);
        Path _ = files.file("templates/briefs/mobile.html", body);
    }

    private static String steps(Said said) {
        return String.join(
                "\n", said.out().lines().filter(line -> line.startsWith("✓")).toList());
    }

    @Test
    void setsAndTemplatesAreMadeChangedTurnedOffAndComeBack() throws Exception {
        DeployFolder files = as("apply-templates");
        template(files, "<h1>{{ answers.title }}</h1>\n");
        files.workflow("order", "x");
        Said plan = files.applied("--dry-run");
        assertTrue(plan.out().endsWith("Plan: 3 create.\n"), plan::toString);
        String made = steps(files.applied());
        assertTrue(
                made.matches("(?s).*create set briefs: made.*create template briefs/mobile: version 1"
                        + ".*create workflow order: version 1.*"),
                made);
        assertEquals("Nothing to do: 3 unchanged.\n", files.applied("--prune").out());

        template(files, "<h2>{{ answers.title }}</h2>\n");
        Path _ = files.file("templates/briefs/set.json", SET.formatted("All briefs"));
        String changed = steps(files.applied());
        assertTrue(changed.contains("update set briefs: changed"), changed);
        assertTrue(changed.contains("new version template briefs/mobile: version 2"), changed);
        assertEquals("Nothing to do: 3 unchanged.\n", files.applied().out());

        Files.delete(folder.resolve("templates/briefs/set.json"));
        Files.delete(folder.resolve("templates/briefs/mobile.json"));
        assertTrue(files.applied().out().endsWith("Nothing to do: 2 left, 1 unchanged.\n"));
        String pruned = steps(files.applied("--prune"));
        assertTrue(
                pruned.matches("(?s).*remove template briefs/mobile: turned off.*remove set briefs: turned off.*"),
                pruned);
        assertEquals("Nothing to do: 1 unchanged.\n", files.applied("--prune").out());

        template(files, "<h2>{{ answers.title }}</h2>\n");
        Path _ = files.file("templates/briefs/set.json", SET.formatted("All briefs"));
        String back = steps(files.applied());
        assertTrue(back.contains("update set briefs: changed"), back);
        assertTrue(back.contains("new version template briefs/mobile: version 3"), back);
        assertEquals("Nothing to do: 3 unchanged.\n", files.applied("--prune").out());
    }

    @Test
    void whatOthersWriteIsAConflictAndTheirTemplatesKeepASet() throws Exception {
        DeployFolder files = as("apply-templates-foreign");
        template(files, "one");
        files.applied();
        DeployFolder theirs =
                new DeployFolder(server, Files.createDirectory(folder.resolve(".theirs")), files.tenant());
        Path _ = theirs.file(
                "other.json", TEMPLATE.replace("\"mobile\"", "\"other\"").replace("mobile.html", "other.html"));
        Path _ = theirs.file("other.html", "theirs");
        Path _ = theirs.file("mobile.json", TEMPLATE);
        Path _ = theirs.file("mobile.html", "theirs");
        List<String> other = List.of("apply", theirs.folder().toString(), "--name", "other");
        Said refused = files.call(other.toArray(String[]::new));
        assertEquals(1, refused.exit(), refused::toString);
        assertTrue(refused.out().contains("deployment 'shop' has made it"), refused::toString);
        Said taken = files.done("apply", theirs.folder().toString(), "--name", "other", "--overwrite");
        assertTrue(taken.out().contains("new version template briefs/mobile: version 2"), taken::toString);

        template(files, "two");
        Said conflict = files.apply();
        assertEquals(1, conflict.exit(), conflict::toString);
        assertTrue(conflict.out().contains("others have changed it since"), conflict::toString);

        Files.delete(folder.resolve("templates/briefs/set.json"));
        Files.delete(folder.resolve("templates/briefs/mobile.json"));
        files.workflow("order", "x");
        Said pruned = files.applied("--prune");
        assertTrue(pruned.out().contains("1 left, 1 yielded"), pruned::toString);
        assertTrue(pruned.out().contains("templates are left in it"), pruned::toString);
        Said again = files.apply("--prune", "--dry-run");
        assertTrue(again.out().contains("templates are left in it"), "it is still this deployment's: " + again);
        Said kept = files.done("apply", theirs.folder().toString(), "--name", "other");
        assertEquals("Nothing to do: 2 unchanged.\n", kept.out());
    }

    @Test
    void whatMovesToAnotherFolderIsTheOtherDeploymentsOnceThatTakesItOver() throws Exception {
        DeployFolder files = as("apply-templates-moved");
        template(files, "one");
        files.workflow("order", "x");
        files.applied();
        Path other = Files.createDirectory(folder.resolve(".other"));
        Files.move(folder.resolve("templates"), other.resolve("templates"));
        String[] moved = {"apply", other.toString(), "--name", "other"};

        Said conflict = files.call(moved);
        assertEquals(1, conflict.exit(), conflict::toString);
        assertTrue(conflict.out().contains("deployment 'shop' has made it"), conflict::toString);
        assertTrue(conflict.out().endsWith("Conflict: 2 conflict.\n"), conflict::toString);
        String taken = steps(files.done(moved[0], moved[1], moved[2], moved[3], "--overwrite"));
        assertTrue(
                taken.matches("(?s).*take over set briefs: taken over.*take over template briefs/mobile: taken over.*"),
                taken);
        Said left = files.applied("--prune");
        assertTrue(left.out().contains("deployment 'other' has it now"), left::toString);
        assertTrue(left.out().endsWith("Nothing to do: 2 yielded, 1 unchanged.\n"), left::toString);
        assertEquals("Nothing to do: 2 unchanged.\n", files.done(moved).out());
        assertEquals("Nothing to do: 1 unchanged.\n", files.applied("--prune").out());
    }

    @Test
    void whatAnotherHasTurnedOffIsToldAndComesBackWhenItIsTakenOver() throws Exception {
        DeployFolder files = as("apply-templates-off");
        template(files, "one");
        files.workflow("order", "x");
        files.applied();
        Path other = Files.createDirectory(folder.resolve(".other"));
        Files.move(folder.resolve("templates"), other.resolve("templates"));
        files.applied("--prune");
        String[] moved = {"apply", other.toString(), "--name", "other"};

        Said conflict = files.call(moved);
        assertEquals(1, conflict.exit(), conflict::toString);
        assertTrue(conflict.out().endsWith("Conflict: 2 conflict.\n"), conflict::toString);
        assertTrue(conflict.out().contains("it is turned off"), conflict::toString);
        String taken = steps(files.done(moved[0], moved[1], moved[2], moved[3], "--overwrite"));
        assertTrue(
                taken.matches("(?s).*update set briefs: changed.*new version template briefs/mobile: version 2.*"),
                taken);
        String set = files.done("templates", "sets", "--json").out();
        assertTrue(set.contains("\"isEnabled\":true"), set);
        assertEquals("Nothing to do: 2 unchanged.\n", files.done(moved).out());
        assertTrue(files.applied("--prune").out().endsWith("Nothing to do: 2 yielded, 1 unchanged.\n"));
    }

    @Test
    void allThatIsWrongWithTemplatesIsToldWithItsPlace() throws Exception {
        DeployFolder files = as("apply-templates-faults");
        template(files, "{{ answers.title \n{% if x %}");
        Path _ = files.file("no-id.json", "{\"templateSetId\": \"sets\", \"displayName\": \"x\", \"team\": \"x\"}");
        Path _ = files.file("typo.json", "{\"templateSetId\": \"typo\",\n \"displayNam\": \"x\", \"team\": \"x\"}");
        Path _ = files.file(
                "out.json", TEMPLATE.replace("mobile.html", "../secret").replace("\"mobile\"", "\"out\""));
        Path _ = files.file("both.json", TEMPLATE.replace("\"bodyFile\"", "\"body\": \"x\", \"bodyFile\""));
        Path _ = files.file("twice.json", SET.formatted("Twice"));
        Path _ = files.file(
                "link.json", TEMPLATE.replace("mobile.html", "link.txt").replace("\"mobile\"", "\"link\""));
        Files.createSymbolicLink(folder.resolve("link.txt"), Path.of("/etc/passwd"));

        Said said = files.apply();

        assertEquals(2, said.exit(), said::toString);
        for (String flaw : List.of(
                "mobile.json:",
                "error TEMPLATE_FORM /body",
                "no-id.json:1:19: error INVALID_NAME /templateSetId",
                "typo.json:2:16: error TEMPLATE_FORM /displayNam",
                "out.json:2:",
                "error TEMPLATE_FORM /bodyFile",
                "both.json:2:",
                "twice.json:1:1: error DUPLICATE_NAME",
                "link.json:2:",
                "faults; nothing was sent")) {
            assertTrue(said.err().contains(flaw), () -> flaw + " in " + said.err());
        }
        assertFalse(said.err().contains("root:"), "nothing of another file is told");
        DeployFolder lone = new DeployFolder(server, Files.createDirectory(folder.resolve(".lone")), files.tenant());
        Path _ = lone.file("alone.json", TEMPLATE.replace("\"bodyFile\": \"mobile.html\"", "\"body\": \"x\""));
        Said alone = lone.apply();
        assertEquals(1, alone.exit(), alone::toString);
        assertTrue(alone.out().contains("its set 'briefs' is neither in the folder"), alone::toString);
    }

    @Test
    void callersAreArchivedBeforeWhatTheyCall() throws Exception {
        DeployFolder files = as("apply-callers");
        files.workflow("a-callee", "x");
        files.caller("b-caller", "a-callee");
        files.caller("c-top", "b-caller");
        files.workflow("stays", "x");
        files.applied();
        for (String gone : List.of("a-callee", "b-caller", "c-top")) {
            Files.delete(folder.resolve(gone + ".json"));
        }
        Said left = files.applied();
        assertTrue(left.out().matches("(?s).*left +workflow +a-callee.*b-caller.*c-top.*"), left::toString);
        String pruned = steps(files.applied("--prune"));
        assertTrue(
                pruned.matches(
                        "(?s).*workflow c-top: archived.*workflow b-caller: archived.*workflow a-callee: archived.*"),
                pruned);
    }
}
