package dev.flowstone.server.cli;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertTrue;

import dev.flowstone.server.cli.Cli.Said;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.api.io.TempDir;

/** Templates of workflows and of documents from the command line, against a real server; each test is a tenant. */
@ExtendWith(RemoteServer.Shared.class)
final class RemoteTemplateTest {
    private static final String TEMPLATE = """
            {"id": "tell", "displayName": "Tell", "description": "Says it.", "category": "chat",
             "definition": {"startNode": "say", "nodes": [{"id": "say", "actionType": "core.echo", "parameters":
               {"to": {"$config": "/to"}, "port": {"$config": "/port"}, "code": {"$config": "/code"}}}]},
             "configSchema": {"type": "object", "required": ["to"], "properties": {"to": {"type": "string"},
               "port": {"type": "integer", "default": 80}, "code": {"type": "string", "default": "x"}},
               "examples": [{"to": "a"}]}}""";

    private final RemoteServer server;

    @TempDir
    private Path folder;

    RemoteTemplateTest(RemoteServer server) {
        this.server = server;
    }

    private Said as(String tenant, String... words) {
        List<String> all = new ArrayList<>(List.of(words));
        all.addAll(List.of("--tenant", tenant));
        return server.call(all.toArray(String[]::new));
    }

    private String done(String tenant, String... words) {
        Said said = as(tenant, words);
        assertEquals(0, said.exit(), said::toString);
        return said.out();
    }

    private String file(String name, String text) throws IOException {
        return Files.writeString(folder.resolve(name), text).toString();
    }

    @Test
    void aTemplateIsMadeFilledInAndTurnedOff() throws Exception {
        String tenant = "cli-templates";
        done(tenant, "templates", "create", "--file", file("tell.json", TEMPLATE));
        String listed = done(tenant, "templates", "list", "--official", "false");
        assertTrue(
                listed.matches(
                        "(?s)TEMPLATE +CATEGORY +OFFICIAL +ON +VERSION +NAME\\s+tell +chat +false +true +1 +Tell\\s*"),
                listed);
        assertTrue(done(tenant, "templates", "list", "--search", "remind").contains("approval-with-reminder"));
        assertTrue(done(tenant, "templates", "show", "tell", "--version", "1").contains("$config"));

        String config = file("config.json", "{\"to\": \"file\", \"code\": \"of file\"}");
        String[] words = {
            "templates",
            "instantiate",
            "tell",
            "--name",
            "Mine",
            "--workflow",
            "mine",
            "--config",
            config,
            "--set",
            "to=a=b",
            "--set",
            "port=90",
            "--set",
            "code=\"7\"",
            "--version",
            "1"
        };
        assertTrue(done(tenant, words).contains("Draft"));
        String draft = done(tenant, "workflows", "show", "mine", "--version", "draft", "--json");
        assertTrue(draft.contains("{\"code\":\"7\",\"port\":90,\"to\":\"a=b\"}"), draft);
        server.refused(
                2, "/config/port", as(tenant, "templates", "instantiate", "tell", "--name", "X", "--set", "port=many"));
        server.refused(
                2,
                "--set takes NAME=VALUE",
                as(tenant, "templates", "instantiate", "tell", "--name", "X", "--set", "x"));

        String next =
                file("next.json", TEMPLATE.replace("\"id\": \"tell\", ", "").replace("Says it.", "Says it better."));
        server.refused(
                1, "(PRECONDITION_FAILED)", as(tenant, "templates", "put", "tell", "--file", next, "--revision", "7"));
        done(tenant, "templates", "put", "tell", "--file", next, "--revision", "1");
        done(tenant, "templates", "disable", "tell");
        server.refused(
                1, "(INVALID_STATE)", as(tenant, "templates", "instantiate", "tell", "--name", "X", "--set", "to=a"));
        done(tenant, "templates", "enable", "tell", "--revision", "3");
        server.refused(1, "(WORKFLOW_TEMPLATE_NOT_FOUND)", as(tenant, "templates", "show", "none"));
    }

    @Test
    void aDocumentIsFoundAndRendered() throws Exception {
        String set = "{\"id\": \"cli-briefs\", \"displayName\": \"Briefs\", \"team\": \"cli-team\"}";
        server.post("/templates/sets", set);
        server.post("/templates/cli-briefs/app/versions", """
                {"displayName": "App", "format": "text", "body": "{{ answers.title }}\\nby {{ extras.who }}\\n",
                 "fields": {"fields": [{"key": "title", "type": "text", "required": true}]}}""");

        assertTrue(server.done("templates", "sets", "--team", "cli-team").out().contains("cli-briefs"));
        assertTrue(server.done("templates", "set", "cli-briefs").out().contains("cli-team"));
        assertTrue(server.done("templates", "documents", "--set", "cli-briefs")
                .out()
                .contains("App"));
        assertTrue(
                server.done("templates", "document", "cli-briefs", "app").out().contains("answers.title"));
        String[] render = {
            "templates",
            "render",
            "cli-briefs",
            "app",
            "--version",
            "1",
            "--answers",
            "{\"title\": \"Gears\\u001b[2J\"}",
            "--extras",
            "{\"who\": \"ann\"}"
        };
        assertEquals("Gears\uFFFD[2J\nby ann\n", server.done(render).out());
        server.refused(2, "/answers", server.call("templates", "render", "cli-briefs", "app", "--answers", "{}"));
    }
}
