package dev.flowstone.connectors.credential;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import dev.flowstone.action.Credential;
import dev.flowstone.action.CredentialProvider;
import dev.flowstone.action.CredentialRequest;
import dev.flowstone.action.LookupFailedException;
import dev.flowstone.action.Requester;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class CredentialsTest {
    @TempDir
    Path folder = Path.of("");

    private static String token(CredentialProvider provider, String connector) {
        CredentialRequest request = new CredentialRequest(
                connector, "default", () -> new Requester("system", Optional.empty(), Optional.empty()));
        return provider.find(request).map(Credential::reveal).orElse("none");
    }

    @Test
    void theEnvironmentHasOneForEachConnector() {
        CredentialProvider environment = new EnvironmentCredentials(Map.of(
                "CONNECTOR_SLACK_TOKEN", "xoxb-1", "CONNECTOR_MY_CRM_TOKEN", " key\n", "CONNECTOR_EMPTY_TOKEN", " "));
        assertEquals("xoxb-1", token(environment, "slack"));
        assertEquals("key", token(environment, "my-crm"));
        assertEquals("none", token(environment, "empty"));
        assertEquals("none", token(environment, "monday"));
    }

    @Test
    void aFolderHasAFileForEachAndANewOneCountsAtOnce() throws Exception {
        CredentialProvider files = new FolderCredentials(folder);
        assertEquals("none", token(files, "slack"));
        Files.writeString(folder.resolve("slack"), "first\n");
        assertEquals("first", token(files, "slack"));
        Files.writeString(folder.resolve("slack"), "second\n");
        assertEquals("second", token(files, "slack"));
        Files.writeString(folder.resolve("slack"), "\n");
        assertEquals("none", token(files, "slack"));
    }

    @Test
    void noNameLeadsOutOfTheFolder() throws Exception {
        Files.writeString(folder.resolve("secret"), "other");
        Path inner = Files.createDirectory(folder.resolve("inner"));
        CredentialProvider files = new FolderCredentials(inner);
        assertEquals("none", token(files, "../secret"));
        assertEquals("none", token(files, folder.resolve("secret").toString()));
        assertEquals("none", token(files, ""));
    }

    @Test
    void whatCannotBeReadIsNoAbsence() throws Exception {
        Files.createDirectory(folder.resolve("slack"));
        Files.write(folder.resolve("monday"), new byte[(64 << 10) + 1]);
        CredentialProvider files = new FolderCredentials(folder);
        assertThrows(LookupFailedException.class, () -> token(files, "slack"));
        assertThrows(LookupFailedException.class, () -> token(files, "monday"));
    }

    @Test
    void theFolderGoesBeforeTheEnvironment() throws Exception {
        Files.writeString(folder.resolve("slack"), "file");
        CredentialProvider both = new FolderCredentials(folder)
                .or(new EnvironmentCredentials(
                        Map.of("CONNECTOR_SLACK_TOKEN", "env", "CONNECTOR_MONDAY_TOKEN", "env")));
        assertEquals("file", token(both, "slack"));
        assertEquals("env", token(both, "monday"));
    }
}
