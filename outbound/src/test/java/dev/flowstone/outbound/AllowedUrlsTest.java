package dev.flowstone.outbound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertThrows;

import java.net.InetAddress;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** What is let through: the Internet, and what the configuration says. */
final class AllowedUrlsTest {
    private static final AddressPolicy PUBLIC = AddressPolicy.PUBLIC_ONLY;

    private static final Names NAMES = new Names()
            .with("good.example", "93.184.215.14")
            .with("six.example", "2606:2800:21f:cb07:6820:80da:af6b:8b2c")
            .with("both.example", "93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c")
            .with("xn--bcher-kva.example", "1.1.1.1")
            .with("a", "1.0.0.1")
            .with("1and1.example", "1.0.0.2")
            .with("0x7f.example", "1.0.0.3")
            .with("inside.corp.example", "10.1.2.3")
            .with("corp.example", "10.1.2.4")
            .with("stolen.corp.example", "169.254.169.254")
            .with("stolen6.corp.example", "fd00:ec2::254")
            .with("translated.corp.example", "64:ff9b::a9fe:a9fe")
            .with("near.corp.example", "169.254.7.7")
            .with("near6.corp.example", "fe80::7")
            .with("six-to-four.corp.example", "2002:a01:203::1")
            .with("teredo.corp.example", "2001:0:1::f5fe:fdfc")
            .with("nat64.corp.example", "64:ff9b::a01:203")
            .with("local-nat64.corp.example", "64:ff9b:1::a01:203")
            .with("isatap.corp.example", "2a00:1450::5efe:a01:203")
            .with("localhost", "127.0.0.1", "::1");

    static Stream<String> table() {
        return """
            93.184.215.14 http://good.example
            93.184.215.14 HTTP://GOOD.example:8080/a/../b?q=%20&r[]=1#fragment
            93.184.215.14 https://good.example/?next=http://127.0.0.1@x
            93.184.215.14 https://good.example/a@b:c
            2606:2800:21f:cb07:6820:80da:af6b:8b2c https://six.example/
            93.184.215.14 2606:2800:21f:cb07:6820:80da:af6b:8b2c https://both.example/
            1.1.1.1 https://xn--bcher-kva.example/
            1.0.0.1 http://a/
            1.0.0.2 http://1and1.example/
            1.0.0.3 http://0x7f.example/
            8.8.8.8 http://8.8.8.8/
            9.255.255.255 http://9.255.255.255/
            11.0.0.0 http://11.0.0.0/
            100.63.255.255 http://100.63.255.255/
            100.128.0.0 http://100.128.0.0/
            172.15.255.255 http://172.15.255.255/
            172.32.0.0 http://172.32.0.0/
            192.0.1.0 http://192.0.1.0/
            198.17.255.255 http://198.17.255.255/
            198.20.0.0 http://198.20.0.0/
            223.255.255.255 https://223.255.255.255:65535/
            2001:4860:4860:0:0:0:0:8888 http://[2001:4860:4860::8888]/
            2a00:1450:4001:0:0:0:0:1 http://[2a00:1450:4001::1]:1/
            64:ff9b:0:0:0:0:808:808 http://[64:ff9b::8.8.8.8]/
            """.lines();
    }

    @ParameterizedTest
    @MethodSource("table")
    void theInternetIsLetThrough(String line) throws InterruptedException {
        int space = line.lastIndexOf(' ');

        assertEquals(line.substring(0, space), Checked.check(line.substring(space + 1), PUBLIC, NAMES));
    }

    @Test
    void aNameThatIsUnknownIsNotFound() throws InterruptedException {
        assertEquals("OUTBOUND_UNRESOLVED", Checked.check("http://nobody.example/", PUBLIC, NAMES));
        assertEquals(
                "OUTBOUND_UNRESOLVED",
                Checked.check("http://empty.example/", PUBLIC, new Names().with("empty.example")));
    }

    @Test
    void anAllowedNetworkIsAllowedAndItsNeighboursAreNot() throws InterruptedException {
        AddressPolicy policy = PUBLIC.withAllowedNetworks("10.1.2.0/23", "fd00:1::/32");

        assertEquals("10.1.3.255", Checked.check("http://10.1.3.255/", policy, NAMES));
        assertEquals("10.1.2.3", Checked.check("http://inside.corp.example/", policy, NAMES));
        assertEquals("fd00:1:0:0:0:0:0:5", Checked.check("http://[fd00:1::5]/", policy, NAMES));
        assertEquals("refused: PRIVATE", Checked.check("http://10.1.4.0/", policy, NAMES));
        assertEquals("refused: PRIVATE", Checked.check("http://[fd00:2::5]/", policy, NAMES));
        assertEquals("refused: LOOPBACK", Checked.check("http://127.0.0.1/", policy, NAMES));
    }

    @Test
    void anAllowedHostIsAllowedByItsNameAndNotByItsAddress() throws InterruptedException {
        AddressPolicy policy = PUBLIC.withAllowedHosts("*.corp.example", "LOCALHOST");

        assertEquals("10.1.2.3", Checked.check("http://inside.corp.example/", policy, NAMES));
        assertEquals("127.0.0.1 0:0:0:0:0:0:0:1", Checked.check("http://localhost:9000/", policy, NAMES));
        assertEquals("refused: PRIVATE", Checked.check("http://corp.example/", policy, NAMES));
        assertEquals("refused: PRIVATE", Checked.check("http://10.1.2.3/", policy, NAMES));
    }

    @Test
    void nothingOpensTheMetadataService() throws InterruptedException {
        AddressPolicy all = PUBLIC.withAllowedHosts("*.corp.example")
                .withAllowedNetworks(
                        "0.0.0.0/0",
                        "::/0",
                        "169.254.169.254",
                        "fd00:ec2::254/128",
                        "64:ff9b::a9fe:a9fe",
                        "64:ff9b::/96",
                        "64:ff9b:1::/96");

        for (String host : new String[] {
            "stolen.corp.example",
            "stolen6.corp.example",
            "translated.corp.example",
            "169.254.169.254",
            "[fd00:ec2::254]",
            "[64:ff9b::a9fe:a9fe]",
            "[64:ff9b:1::a9fe:a9fe]",
            "100.100.100.200",
            "168.63.129.16"
        }) {
            assertEquals("refused: METADATA", Checked.check("http://" + host + "/", all, NAMES), host);
        }
    }

    static Stream<String> ways() {
        return """
            LINK_LOCAL near 169.254.7.7 169.254.7.0/24
            LINK_LOCAL near6 fe80:0:0:0:0:0:0:7 fe80::/10
            PRIVATE six-to-four 2002:a01:203:0:0:0:0:1 2002:a01:203::/48
            PRIVATE teredo 2001:0:1:0:0:0:f5fe:fdfc 2001:0:1::/48
            PRIVATE nat64 64:ff9b:0:0:0:0:a01:203 64:ff9b::/96
            PRIVATE local-nat64 64:ff9b:1:0:0:0:a01:203 64:ff9b:1::/64
            PRIVATE isatap 2a00:1450:0:0:0:5efe:a01:203 2a00:1450::5efe:a01:203
            """.lines();
    }

    @ParameterizedTest
    @MethodSource("ways")
    void onlyExactlyItsNetworkOpensALinkLocalAddressOrATunnel(String line) throws InterruptedException {
        String[] parts = line.split(" ", 4);
        String url = "http://" + parts[1] + ".corp.example/";
        AddressPolicy byName = PUBLIC.withAllowedHosts("*.corp.example");
        AddressPolicy wide = byName.withAllowedNetworks("0.0.0.0/0", "::/0", "10.0.0.0/8");

        assertEquals("refused: " + parts[0], Checked.check(url, byName, NAMES));
        assertEquals("refused: " + parts[0], Checked.check(url, wide, NAMES));
        assertEquals(parts[2], Checked.check(url, PUBLIC.withAllowedNetworks(parts[3]), NAMES));
    }

    @Test
    void aDeniedNetworkIsDeniedThoughItIsAllowedOrPublic() throws InterruptedException {
        AddressPolicy policy = PUBLIC.withAllowedNetworks("10.0.0.0/8")
                .withAllowedHosts("*.corp.example", "good.example")
                .withDeniedNetworks("10.1.0.0/16", "93.184.215.0/24", "2a00:1450::/32");

        for (String host : new String[] {
            "10.1.2.3",
            "inside.corp.example",
            "good.example",
            "both.example",
            "[2a00:1450:4001::1]",
            "[64:ff9b::5db8:d70e]",
            "[64:ff9b:1::a01:203]"
        }) {
            assertEquals("refused: NETWORK_DENIED", Checked.check("http://" + host + "/", policy, NAMES), host);
        }
        assertEquals("10.2.0.1", Checked.check("http://10.2.0.1/", policy, NAMES));
        assertEquals("8.8.8.8", Checked.check("http://8.8.8.8/", policy, NAMES));
    }

    @Test
    void thisMachinesOwnPublicAddressIsInside() throws InterruptedException {
        Set<InetAddress> own = Set.of(
                InetAddress.ofLiteral("93.184.215.14"),
                InetAddress.ofLiteral("2606:2800:21f:cb07:6820:80da:af6b:8b2c"));

        for (String host : new String[] {"good.example", "six.example", "93.184.215.14", "[64:ff9b::5db8:d70e]"}) {
            assertEquals("refused: OWN", Checked.check("http://" + host + "/", PUBLIC, NAMES, own), host);
        }
        String url = "http://good.example/";
        assertEquals("93.184.215.14", Checked.check(url, PUBLIC.withAllowedHosts("good.example"), NAMES, own));
        assertEquals("93.184.215.14", Checked.check(url, PUBLIC.withAllowedNetworks("93.184.215.14"), NAMES, own));
        assertEquals("1.1.1.1", Checked.check("https://xn--bcher-kva.example/", PUBLIC, NAMES, own));
    }

    @Test
    void aDeniedHostIsDeniedThoughItIsAllowed() throws InterruptedException {
        AddressPolicy policy =
                PUBLIC.withAllowedHosts("*.corp.example").withDeniedHosts("inside.corp.example", "*.example");

        assertEquals("refused: HOST_DENIED", Checked.check("http://inside.corp.example/", policy, NAMES));
        assertEquals("refused: HOST_DENIED", Checked.check("http://good.example/", policy, NAMES));
        assertEquals("1.0.0.1", Checked.check("http://a/", policy, NAMES));
    }

    @Test
    void onlyAllowedPortsAreAllowedIfThereAreAny() throws InterruptedException {
        AddressPolicy policy = PUBLIC.withAllowedPorts(Set.of(443, 8443));

        assertEquals("93.184.215.14", Checked.check("https://good.example/", policy, NAMES));
        assertEquals("93.184.215.14", Checked.check("http://good.example:8443/", policy, NAMES));
        assertEquals("refused: PORT_DENIED", Checked.check("http://good.example/", policy, NAMES));
    }

    @Test
    void whatIsNoNetworkNoHostAndNoPortIsNoConfiguration() {
        for (String network : new String[] {
            "",
            "10.0.0.0/33",
            "10.0.0.1/8",
            "10.0.0.0/",
            "10.0.0.0/-1",
            "10.0.0.0/08",
            "10/8",
            "fd00::/129",
            "fd00::1/8",
            "example.com",
            "::ffff:10.0.0.0/104"
        }) {
            assertThrows(IllegalArgumentException.class, () -> Network.of(network), network);
        }
        for (String host :
                new String[] {"", "*", "*.", "a.*.example", "10.0.0.1", "a b", "http://a", "a.example:80", "[::1]"}) {
            assertThrows(IllegalArgumentException.class, () -> new HostPattern(host), host);
        }
        assertThrows(IllegalArgumentException.class, () -> PUBLIC.withAllowedPorts(Set.of(0)));
    }
}
