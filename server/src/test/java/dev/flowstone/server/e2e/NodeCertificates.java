package dev.flowstone.server.e2e;

import static org.junit.jupiter.api.Assertions.assertEquals;

import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.Key;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** An authority and a node's certificate of it, made by the JDK's keytool. */
final class NodeCertificates {
    private static final String PASSWORD = "changeit";

    private final Path folder;

    private NodeCertificates(Path folder) {
        this.folder = folder;
    }

    /** In an empty folder. */
    static NodeCertificates in(Path folder) throws Exception {
        Files.createDirectories(folder);
        NodeCertificates made = new NodeCertificates(folder);
        made.keytool("-genkeypair", "-alias", "ca", "-keyalg", "EC", "-dname", "CN=authority", "-ext", "bc:c");
        made.keytool("-exportcert", "-rfc", "-alias", "ca", "-file", "ca.pem");
        made.keytool("-genkeypair", "-alias", "node", "-keyalg", "EC", "-dname", "CN=node");
        made.keytool("-certreq", "-alias", "node", "-file", "node.csr");
        made.keytool(
                "-gencert",
                "-rfc",
                "-alias",
                "ca",
                "-infile",
                "node.csr",
                "-outfile",
                "node.pem",
                "-ext",
                "san=ip:127.0.0.1,dns:localhost");
        made.exportKey();
        return made;
    }

    private void keytool(String... words) throws Exception {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                words[0],
                "-keystore",
                "keys.p12",
                "-storepass",
                PASSWORD));
        command.addAll(List.of(words).subList(1, words.length));
        Process process = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(folder.resolve("keytool.log").toFile())
                .start();
        assertEquals(0, process.waitFor(), () -> "keytool " + String.join(" ", words));
    }

    private void exportKey() throws Exception {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(folder.resolve("keys.p12"))) {
            store.load(in, PASSWORD.toCharArray());
        }
        Key key = store.getKey("node", PASSWORD.toCharArray());
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key.getEncoded());
        Files.writeString(
                folder.resolve("node.key"), "-----BEGIN PRIVATE KEY-----\n" + text + "\n-----END PRIVATE KEY-----\n");
    }

    Path certificate() {
        return folder.resolve("node.pem");
    }

    Path key() {
        return folder.resolve("node.key");
    }

    Path authority() {
        return folder.resolve("ca.pem");
    }

    /** A node's settings that name them. */
    Map<String, String> settings() {
        return Map.of(
                "node.certificate", certificate().toString(),
                "node.key", key().toString(),
                "node.authority", authority().toString());
    }
}
