package dev.flowstone.server.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;

import dev.flowstone.server.cli.Cli.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/** A folder that a test deploys to a tenant of its own. */
record DeployFolder(RemoteServer server, Path folder, String tenant) {

    Path file(String name, String text) throws IOException {
        Path file = folder.resolve(name);
        Files.createDirectories(file.getParent());
        return Files.writeString(file, text);
    }

    Path workflow(String id, String text) throws IOException {
        return file(
                id + ".json",
                definition(
                        id,
                        "{\"id\": \"a\", \"actionType\": \"core.echo\", \"parameters\": {\"text\": \"" + text
                                + "\"}}"));
    }

    Path caller(String id, String callee) throws IOException {
        return file(
                id + ".json",
                definition(id, "{\"id\": \"a\", \"nodeType\": \"subworkflow\", \"workflowId\": \"" + callee + "\"}"));
    }

    static String definition(String id, String node) {
        return "{\"id\": \"%s\", \"displayName\": \"%s\", \"startNode\": \"a\",\n \"nodes\": [%s]}\n"
                .formatted(id, id, node);
    }

    Path manual(String name, String workflow, String more) throws IOException {
        return file(
                name + ".json",
                "{\"name\": \"%s\", \"workflowId\": \"%s\", \"triggerType\": \"Manual\"%s}"
                        .formatted(name, workflow, more));
    }

    Said apply(String... more) {
        List<String> words = new ArrayList<>(List.of("apply", folder.toString(), "--name", "shop"));
        words.addAll(List.of(more));
        return call(words.toArray(String[]::new));
    }

    Said applied(String... more) {
        Said said = apply(more);
        assertEquals(0, said.exit(), said::toString);
        return said;
    }

    Said call(String... more) {
        List<String> words = new ArrayList<>(List.of(more));
        words.addAll(List.of("--tenant", tenant));
        return server.call(words.toArray(String[]::new));
    }

    Said done(String... more) {
        Said said = call(more);
        assertEquals(0, said.exit(), said::toString);
        return said;
    }
}
