package dev.flowstone.bench.rig;

import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.Key;
import java.security.KeyStore;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;

/** An authority and a node's certificate of it for the loopback interface, made by the JDK's keytool. */
public final class NodeCertificates {
    private static final String PASSWORD = "changeit";

    /** They also hold for a node whose clock is behind. */
    private static final String BEGIN = "-2d";

    private final Path folder;

    private NodeCertificates(Path folder) {
        this.folder = folder;
    }

    /** In a folder that is made for them. */
    public static NodeCertificates in(Path folder) throws IOException, GeneralSecurityException {
        Files.createDirectories(folder);
        NodeCertificates made = new NodeCertificates(folder);
        made.keytool(
                "-genkeypair",
                "-alias",
                "ca",
                "-keyalg",
                "EC",
                "-dname",
                "CN=authority",
                "-ext",
                "bc:c",
                "-startdate",
                BEGIN);
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
                "-startdate",
                BEGIN,
                "-ext",
                "san=ip:127.0.0.1,dns:localhost");
        made.exportKey();
        return made;
    }

    private void keytool(String... words) throws IOException {
        List<String> command = new ArrayList<>(List.of(
                Path.of(System.getProperty("java.home"), "bin", "keytool").toString(),
                words[0],
                "-keystore",
                folder.resolve("keys.p12").toString(),
                "-storepass",
                PASSWORD));
        for (String word : List.of(words).subList(1, words.length)) {
            command.add(
                    word.matches("(ca|node)\\.(pem|csr)") ? folder.resolve(word).toString() : word);
        }
        Shell.run(command);
    }

    private void exportKey() throws IOException, GeneralSecurityException {
        KeyStore store = KeyStore.getInstance("PKCS12");
        try (InputStream in = Files.newInputStream(folder.resolve("keys.p12"))) {
            store.load(in, PASSWORD.toCharArray());
        }
        Key key = store.getKey("node", PASSWORD.toCharArray());
        String text = Base64.getMimeEncoder(64, new byte[] {'\n'}).encodeToString(key.getEncoded());
        Files.writeString(
                folder.resolve("node.key"), "-----BEGIN PRIVATE KEY-----\n" + text + "\n-----END PRIVATE KEY-----\n");
    }

    public Path certificate() {
        return folder.resolve("node.pem");
    }

    public Path key() {
        return folder.resolve("node.key");
    }

    public Path authority() {
        return folder.resolve("ca.pem");
    }

    /** A node's settings that name them. */
    public Map<String, String> settings() {
        return Map.of(
                "node.certificate", certificate().toString(),
                "node.key", key().toString(),
                "node.authority", authority().toString());
    }
}
