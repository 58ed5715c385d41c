package dev.flowstone.server.peer;

import io.helidon.common.configurable.Resource;
import io.helidon.common.pki.Keys;
import io.helidon.common.tls.Tls;
import io.helidon.common.tls.TlsClientAuth;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.PrivateKey;
import java.security.cert.X509Certificate;
import java.util.List;

/** What nodes show each other: a certificate of the authority that all of them trust, and no other does. */
public final class PeerTls {
    private PeerTls() {}

    /**
     * Reads it.
     *
     * @param certificate in PEM, with those between it and the authority's
     * @param key its private key, in PEM, as PKCS #8
     * @param authority certificates in PEM that peers' must come from
     * @throws IllegalArgumentException with what is wrong, and with which file
     */
    public static Tls read(Path certificate, Path key, Path authority) {
        List<X509Certificate> chain = read(
                certificate,
                "certificates",
                () -> Keys.builder()
                        .pem(pem -> pem.certChain(Resource.create(certificate)))
                        .build()
                        .certChain());
        List<X509Certificate> trusted = read(
                authority,
                "certificates",
                () -> Keys.builder()
                        .pem(pem -> pem.certificates(Resource.create(authority)))
                        .build()
                        .certs());
        PrivateKey secret = read(
                key,
                "a private key as PKCS #8",
                () -> Keys.builder()
                        .pem(pem -> pem.key(Resource.create(key)))
                        .build()
                        .privateKey()
                        .orElseThrow());
        return Tls.builder()
                .privateKey(secret)
                .privateKeyCertChain(chain)
                .trust(trusted)
                .clientAuth(TlsClientAuth.REQUIRED)
                // Whoever calls is known by its authority: it has no name that could be compared with anything.
                .endpointIdentificationAlgorithm(Tls.ENDPOINT_IDENTIFICATION_NONE)
                .addEnabledProtocol("TLSv1.3")
                .build();
    }

    private interface Reading<T> {
        T read();
    }

    private static <T> T read(Path file, String what, Reading<T> reading) {
        if (!Files.isReadable(file)) {
            throw new IllegalArgumentException(
                    "the file " + file + " can't be read; it is to hold " + what + " in PEM");
        }
        try {
            T found = reading.read();
            if (found instanceof List<?> list && list.isEmpty()) {
                throw new IllegalArgumentException("the file " + file + " holds no " + what + " in PEM");
            }
            return found;
        } catch (RuntimeException e) {
            throw new IllegalArgumentException("the file " + file + " doesn't hold " + what + " in PEM", e);
        }
    }
}
