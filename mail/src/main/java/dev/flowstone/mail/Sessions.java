package dev.flowstone.mail;

import jakarta.mail.Session;
import java.io.IOException;
import java.io.InputStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyStore;
import java.security.cert.Certificate;
import java.security.cert.CertificateFactory;
import java.util.Properties;
import javax.net.ssl.SSLContext;
import javax.net.ssl.SSLSocketFactory;
import javax.net.ssl.TrustManagerFactory;

/** The mail library's settings for a server: nothing is sent without the protection that is configured, nothing waits for ever. */
final class Sessions {
    private static final String PREFIX = "mail.smtp.";

    private Sessions() {}

    /**
     * For one message.
     *
     * @throws IOException if the configured certificates can't be read
     */
    static Session of(SmtpServer server) throws IOException {
        Properties properties = new Properties();
        set(properties, "host", server.host());
        set(properties, "port", server.port());
        set(properties, "auth", server.user().isPresent());
        set(properties, "auth.mechanisms", "PLAIN LOGIN");
        set(properties, "starttls.enable", server.security() == SmtpServer.Security.STARTTLS);
        set(properties, "starttls.required", server.security() == SmtpServer.Security.STARTTLS);
        set(properties, "ssl.enable", server.security() == SmtpServer.Security.TLS);
        set(properties, "ssl.checkserveridentity", true);
        // Else whom the configured certificates don't know is asked once more, by the JDK's.
        set(properties, "socketFactory.fallback", false);
        set(properties, "connectiontimeout", server.connectTimeout().toMillis());
        set(properties, "timeout", server.replyTimeout().toMillis());
        set(properties, "writetimeout", server.replyTimeout().toMillis());
        // Who isn't taken keeps the message from all others: then nobody gets it twice.
        set(properties, "sendpartial", false);
        // Its answer to the farewell changes nothing any more.
        set(properties, "quitwait", false);
        server.localName().ifPresent(name -> set(properties, "localhost", name));
        if (server.certificates().isPresent()) {
            properties.put(
                    PREFIX + "ssl.socketFactory", trusting(server.certificates().get()));
        }
        return Session.getInstance(properties);
    }

    private static void set(Properties properties, String name, Object value) {
        properties.setProperty(PREFIX + name, value.toString());
    }

    private static SSLSocketFactory trusting(Path certificates) throws IOException {
        try (InputStream in = Files.newInputStream(certificates)) {
            KeyStore store = KeyStore.getInstance("PKCS12");
            store.load(null, null);
            int number = 0;
            for (Certificate each : CertificateFactory.getInstance("X.509").generateCertificates(in)) {
                store.setCertificateEntry("authority-" + number++, each);
            }
            if (number == 0) {
                throw new IOException("no certificate in " + certificates);
            }
            TrustManagerFactory trust = TrustManagerFactory.getInstance(TrustManagerFactory.getDefaultAlgorithm());
            trust.init(store);
            SSLContext context = SSLContext.getInstance("TLS");
            context.init(null, trust.getTrustManagers(), null);
            return context.getSocketFactory();
        } catch (GeneralSecurityException e) {
            throw new IOException("no certificates in PEM in " + certificates, e);
        }
    }
}
