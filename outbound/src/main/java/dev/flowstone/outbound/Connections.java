package dev.flowstone.outbound;

import java.net.InetAddress;
import java.net.Proxy;
import java.net.Socket;
import java.net.UnknownHostException;
import javax.net.ssl.SSLContext;
import org.apache.hc.client5.http.DnsResolver;
import org.apache.hc.client5.http.SchemePortResolver;
import org.apache.hc.client5.http.config.ConnectionConfig;
import org.apache.hc.client5.http.config.TlsConfig;
import org.apache.hc.client5.http.impl.DefaultSchemePortResolver;
import org.apache.hc.client5.http.impl.classic.CloseableHttpClient;
import org.apache.hc.client5.http.impl.classic.HttpClientBuilder;
import org.apache.hc.client5.http.impl.io.DefaultHttpClientConnectionOperator;
import org.apache.hc.client5.http.impl.io.ManagedHttpClientConnectionFactory;
import org.apache.hc.client5.http.impl.io.PoolingHttpClientConnectionManagerBuilder;
import org.apache.hc.client5.http.impl.routing.DefaultRoutePlanner;
import org.apache.hc.client5.http.io.HttpClientConnectionOperator;
import org.apache.hc.client5.http.ssl.DefaultClientTlsStrategy;
import org.apache.hc.client5.http.ssl.TlsSocketStrategy;
import org.apache.hc.core5.http.config.Http1Config;
import org.apache.hc.core5.http.config.RegistryBuilder;
import org.apache.hc.core5.util.TimeValue;
import org.apache.hc.core5.util.Timeout;

/**
 * Apache's client, with everything off that acts by itself: redirects, repetitions, cookies, authentication, decompression, upgrades,
 * proxies from properties and environment, and looking names up. It connects to the address it is given, by the name it is given.
 *
 * <p>A connection that is used again goes to an address that was checked when it was made, for the same policy: a pool belongs to one
 * client, and within it to one address, name, port and scheme. Each call looks its name up and checks it again nevertheless.
 */
final class Connections {
    private static final TimeValue LONGEST_LIFE = TimeValue.ofMinutes(1);

    /** A connection that nobody uses is closed between this and twice this long afterwards. */
    static final TimeValue IDLE = TimeValue.ofSeconds(20);

    /** There are no repetitions, so one that the server has closed meanwhile has to be found out before it is used. */
    private static final TimeValue TRUSTED_FOR = TimeValue.ofMilliseconds(100);

    private Connections() {}

    static CloseableHttpClient open(OutboundConfig config, SSLContext tls, TimeValue idle) {
        Timeout connect =
                Timeout.ofMilliseconds(Math.max(1, config.connectTimeout().toMillis()));
        Http1Config limits = Http1Config.custom()
                .setMaxLineLength(config.headerBytes())
                .setMaxHeaderCount(config.headerLines())
                .build();
        return HttpClientBuilder.create()
                .setConnectionManager(new WithoutProxy()
                        .setDnsResolver(new NoNames())
                        .setTlsSocketStrategy(new DefaultClientTlsStrategy(tls))
                        .setDefaultTlsConfig(
                                TlsConfig.custom().setHandshakeTimeout(connect).build())
                        .setConnectionFactory(ManagedHttpClientConnectionFactory.builder()
                                .http1Config(limits)
                                .build())
                        .setDefaultConnectionConfig(ConnectionConfig.custom()
                                .setConnectTimeout(connect)
                                .setTimeToLive(LONGEST_LIFE)
                                .setValidateAfterInactivity(TRUSTED_FOR)
                                .build())
                        .setMaxConnTotal(config.connections())
                        .setMaxConnPerRoute(config.perHost())
                        .build())
                .setRoutePlanner(new DefaultRoutePlanner(DefaultSchemePortResolver.INSTANCE))
                .setUserAgent("Flowstone")
                .evictExpiredConnections()
                .evictIdleConnections(idle)
                .disableRedirectHandling()
                .disableAutomaticRetries()
                .disableCookieManagement()
                .disableAuthCaching()
                .disableConnectionState()
                .disableContentCompression()
                .build();
    }

    /** Sockets that ask nobody for a proxy: the JDK's own would ask its properties for a SOCKS server. */
    private static final class WithoutProxy extends PoolingHttpClientConnectionManagerBuilder {
        @Override
        protected HttpClientConnectionOperator createConnectionOperator(
                SchemePortResolver ports, DnsResolver names, TlsSocketStrategy tls) {
            return new DefaultHttpClientConnectionOperator(
                    proxy -> new Socket(Proxy.NO_PROXY),
                    ports,
                    names,
                    RegistryBuilder.<TlsSocketStrategy>create()
                            .register("https", tls)
                            .build());
        }
    }

    /** Whatever is not pinned to an address does not leave the house. */
    private static final class NoNames implements DnsResolver {
        @Override
        public InetAddress[] resolve(String host) throws UnknownHostException {
            throw new UnknownHostException("names are looked up and checked before");
        }

        @Override
        public String resolveCanonicalHostname(String host) throws UnknownHostException {
            throw new UnknownHostException("names are looked up and checked before");
        }
    }
}
