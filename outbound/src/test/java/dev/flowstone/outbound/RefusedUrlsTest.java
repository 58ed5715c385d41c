package dev.flowstone.outbound;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertInstanceOf;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/** Addresses inside, in every dress, and URLs that two readers read in two ways. */
final class RefusedUrlsTest {
    private static final String TABLE = """
            LOOPBACK http://127.0.0.1/
            LOOPBACK http://127.0.0.1:8080/admin
            LOOPBACK https://127.255.255.254/
            LOOPBACK http://127.1.2.3/
            LOOPBACK http://localhost/
            LOOPBACK http://LOCALHOST:5432/
            LOOPBACK http://any.localhost/
            LOOPBACK http://[::1]/
            LOOPBACK http://[0:0:0:0:0:0:0:1]:80/
            LOOPBACK http://[0000::0001]/
            LOOPBACK http://[::127.0.0.1]/
            LOOPBACK http://[64:ff9b::127.0.0.1]/
            LOOPBACK http://[64:ff9b::7f00:1]/
            LOOPBACK http://[2002:7f00:1::]/
            LOOPBACK http://[2001:0:1::80ff:fffe]/
            LOOPBACK http://[::5efe:7f00:1]/
            LOOPBACK http://[::ffff:0:127.0.0.1]/
            LOOPBACK http://loop.example/
            LOOPBACK http://loop6.example/
            PRIVATE http://10.0.0.1/
            PRIVATE http://10.255.255.255/
            PRIVATE http://172.16.0.1/
            PRIVATE http://172.31.255.255/
            PRIVATE http://192.168.0.1/
            PRIVATE http://192.168.255.255/
            PRIVATE http://[fc00::1]/
            PRIVATE http://[fd12:3456:789a::1]/
            PRIVATE http://[fec0::1]/
            PRIVATE http://[::10.0.0.1]/
            PRIVATE http://[64:ff9b::a00:1]/
            PRIVATE http://[2002:c0a8:1::1]/
            PRIVATE http://[2001:0:5ef5:79fb::f5ff:fffe]/
            PRIVATE http://[2a00:1450::5efe:10.0.0.1]/
            PRIVATE http://[fd00::200:5efe:a00:1]/
            PRIVATE http://inside.example/
            PRIVATE http://mixed.example/
            LINK_LOCAL http://169.254.0.1/
            LINK_LOCAL http://169.254.255.255/
            LINK_LOCAL http://[fe80::1]/
            LINK_LOCAL http://[febf::1]/
            LINK_LOCAL http://[2002:a9fe:1::1]/
            METADATA http://169.254.169.254/latest/meta-data/
            METADATA http://169.254.170.2/v2/credentials
            METADATA http://169.254.170.23/
            METADATA http://100.100.100.200/
            METADATA http://168.63.129.16/
            METADATA http://192.0.0.192/
            METADATA http://[fd00:ec2::254]/
            METADATA http://[fd00:42::42]/
            METADATA http://[fd00:c1::a9fe:a9fe]/
            METADATA http://[fe80::a9fe:a9fe]/
            METADATA http://169.254.42.42/
            METADATA http://169.254.0.23/
            METADATA http://[fd00:0ec2:0:0:0:0:0:0254]/
            METADATA http://[fd20:ce::254]/
            METADATA http://[64:ff9b::a9fe:a9fe]/
            METADATA http://[::169.254.169.254]/
            METADATA http://[2002:a9fe:a9fe::1]/
            METADATA http://[2a00:1450::5efe:a9fe:a9fe]/
            METADATA http://[::ffff:0:a9fe:a9fe]/
            METADATA http://metadata.google.internal/
            SHARED http://100.64.0.1/
            SHARED http://100.127.255.255/
            UNSPECIFIED http://0.0.0.0/
            UNSPECIFIED http://0.255.1.2:22/
            UNSPECIFIED http://[::]/
            MULTICAST http://224.0.0.1/
            MULTICAST http://239.255.255.255/
            MULTICAST http://[ff02::1]/
            RESERVED http://240.0.0.1/
            RESERVED http://255.255.255.255/
            RESERVED http://192.0.0.8/
            RESERVED http://[::8.8.8.8]/
            RESERVED http://[100::1]/
            RESERVED http://[5f00::1]/
            RESERVED http://[4000::1]/
            RESERVED http://[2001:20::1]/
            DOCUMENTATION http://192.0.2.1/
            DOCUMENTATION http://198.51.100.7/
            DOCUMENTATION http://203.0.113.255/
            DOCUMENTATION http://[2001:db8::1]/
            DOCUMENTATION http://[3fff::1]/
            BENCHMARK http://198.18.0.1/
            BENCHMARK http://198.19.255.255/
            BENCHMARK http://[2001:2::1]/
            TUNNEL http://192.88.99.1/
            LOOPBACK http://[64:ff9b:1::7f00:1]/
            TUNNEL http://[64:ff9b:1::808:808]/
            TUNNEL http://[2002:808:808::1]/
            TUNNEL http://[2001:0:4136:e378:8000:63bf:f7f7:f7f7]/
            TUNNEL http://[::ffff:0:808:808]/
            TUNNEL http://[2a00:1450::5efe:808:808]/
            TUNNEL http://[2a00:1450::200:5efe:808:808]/
            ENCODED_ADDRESS http://2852039166/
            ENCODED_ADDRESS http://0xa9fea9fe/
            ENCODED_ADDRESS http://0251.0376.0251.0376/
            ENCODED_ADDRESS http://169.254.43518/
            ENCODED_ADDRESS http://0300.0250.0.1/
            ENCODED_ADDRESS http://00000177.0.0.1/
            ENCODED_ADDRESS http://[::ffff:a9fe:a9fe]/
            ENCODED_ADDRESS http://127.1/
            ENCODED_ADDRESS http://127.0.1/
            ENCODED_ADDRESS http://2130706433/
            ENCODED_ADDRESS http://0/
            ENCODED_ADDRESS http://017700000001/
            ENCODED_ADDRESS http://0177.0.0.1/
            ENCODED_ADDRESS http://127.0.0.01/
            ENCODED_ADDRESS http://0x7f000001/
            ENCODED_ADDRESS http://0x7f.0.0.1/
            ENCODED_ADDRESS http://0X7F.0x0.0x0.0x1/
            ENCODED_ADDRESS http://0x7f.1/
            ENCODED_ADDRESS http://0x/
            ENCODED_ADDRESS http://127.0.0.1./
            ENCODED_ADDRESS http://256.1.1.1/
            ENCODED_ADDRESS http://1.2.3.4.5/
            ENCODED_ADDRESS http://425.510.425.510/
            ENCODED_ADDRESS http://foo.127/
            ENCODED_ADDRESS http://[::ffff:127.0.0.1]/
            ENCODED_ADDRESS http://[::ffff:7f00:1]/
            ENCODED_ADDRESS http://[::FFFF:8.8.8.8]/
            ENCODED_ADDRESS http://[0:0:0:0:0:ffff:169.254.169.254]/
            ENCODED_ADDRESS http://[::127.1]/
            ENCODED_ADDRESS http://[::0x7f.0.0.1]/
            ENCODED_ADDRESS http://[::ffff:0177.0.0.1]/
            ENCODED_ADDRESS http://[127.0.0.1]/
            ENCODED_ADDRESS http://[localhost]/
            ENCODED_ADDRESS http://[]/
            ENCODED_ADDRESS http://[1::2::3]/
            ENCODED_ADDRESS http://[v1.fe80::a]/
            USERINFO http://good.example@127.0.0.1/
            USERINFO http://user:password@good.example/
            USERINFO http://@good.example/
            USERINFO http://good.example:80@127.0.0.1:80/
            USERINFO http://127.0.0.1:80@good.example/
            USERINFO https://a@b@good.example/
            USERINFO http://127.0.0.1%2f@good.example
            HOST http://[fe80::1%25eth0]/
            HOST http://[fe80::1%eth0]/
            HOST http://%31%32%37.0.0.1/
            HOST http://127%2e0%2e0%2e1/
            HOST http://%6c%6f%63%61lhost/
            HOST http://127.0.0.1%e3%80%82/
            HOST http://good%2eexample/
            HOST http://good.example%00.evil.example/
            HOST http:///path
            HOST http://:80/
            HOST http://?q
            HOST http://#good.example
            HOST http://.../
            HOST http://./
            HOST http://good.example./
            HOST http://localhost./
            HOST http://good..example/
            HOST http://.good.example/
            HOST http://-good.example/
            HOST http://good-.example/
            HOST http://good_name.example/
            HOST http://good,example/
            HOST http://good!.example/
            HOST http://*.example/
            HOST http://[::1/
            PORT http://::1]/
            HOST http://[::1]evil.example/
            HOST http://[::1].good.example/
            PORT http://::1/
            PORT http://good.example:/
            PORT http://good.example:0/
            PORT http://good.example:65536/
            PORT http://good.example:99999/
            PORT http://good.example:080/
            PORT http://good.example:+80/
            PORT http://good.example:-1/
            PORT http://good.example:80:80/
            PORT http://good.example:8o/
            PORT http://[::1]:/
            PORT http://[::1]:0/
            SCHEME file:///etc/passwd
            SCHEME ftp://good.example/
            SCHEME gopher://127.0.0.1:6379/_INFO
            SCHEME jar:http://good.example/a.jar!/b
            SCHEME data:text/plain,hello
            SCHEME javascript:alert(1)
            SCHEME ws://good.example/
            SCHEME httpx://good.example/
            SCHEME ldap://good.example/
            SCHEME netdoc:/etc/passwd
            SCHEME unix:/var/run/docker.sock
            SCHEME view-source:http://good.example/
            SCHEME good.example:80/
            URL good.example
            URL //good.example/
            URL /path
            URL :80
            URL ://good.example
            URL 1http://good.example/
            URL http:good.example/
            URL http:/good.example/
            URL https:
            URL http://good.example\\@127.0.0.1/
            URL http://127.0.0.1\\.good.example/
            URL http:\\\\127.0.0.1\\
            URL http:/\\127.0.0.1/
            URL http://good.example/a\\b
            URL http://good.example//evil.example/
            URL http://good.example/a b
            URL http://good.example /
            URL http://good.example/{id}
            URL http://good.example/a|b
            URL http://good.example/%zz
            URL http://good.example/?q=<script>
            URL http://good.example/"
            URL http://\u2488\u2488/
            URL http://\uff11\uff12\uff17.0.0.1/
            URL http://127\u30020\u30020\u30021/
            URL http://\u2460\u2461\u2466.\u24ea.\u24ea.\u2460/
            URL http://\u0661\u0662\u0667.0.0.1/
            URL http://127\uff0e0\uff0e0\uff0e1/
            URL http://127\uff610\uff610\uff611/
            URL http://127.0.0.\u00b9/
            URL http://b\u00fccher.example/
            URL http://good.example\u200b/
            URL http://good.example/\u00e4
            URL http://\u0131ocalhost/
            URL \ufeffhttp://good.example/
            """;

    /** What is refused for how it is written, not for where it leads. */
    private static final Set<String> TRICKS = Set.of("ENCODED_ADDRESS", "USERINFO", "HOST", "PORT", "SCHEME", "URL");

    private static final Names NAMES = new Names()
            .with("good.example", "93.184.215.14")
            .with("loop.example", "127.0.0.1")
            .with("loop6.example", "::1")
            .with("inside.example", "10.1.2.3")
            .with("mixed.example", "93.184.215.14", "2606:2800:21f:cb07:6820:80da:af6b:8b2c", "192.168.1.1")
            .with("metadata.google.internal", "169.254.169.254");

    static Stream<String> table() {
        return TABLE.lines();
    }

    @Test
    void thereAreEightyAddressesAndEightyTricks() {
        List<String> reasons =
                table().map(line -> line.substring(0, line.indexOf(' '))).toList();
        long tricks = reasons.stream().filter(TRICKS::contains).count();

        assertTrue(tricks >= 80, "tricks: " + tricks);
        assertTrue(reasons.size() - tricks >= 80, "addresses: " + (reasons.size() - tricks));
        assertEquals(reasons.size(), table().distinct().count(), "and each is there once");
    }

    @ParameterizedTest
    @MethodSource("table")
    void isRefusedForItsReason(String line) throws InterruptedException {
        int space = line.indexOf(' ');
        String url = line.substring(space + 1);

        assertEquals("refused: " + line.substring(0, space), Checked.check(url, AddressPolicy.PUBLIC_ONLY, NAMES));
    }

    @Test
    void noUrlHasWhiteSpaceOrControlCharactersAroundOrWithinIt() throws InterruptedException {
        for (String url : new String[] {
            "",
            " ",
            " http://good.example/",
            "http://good.example/ ",
            "http://good.example/\n",
            "http://good.example/\r\nHost: evil.example",
            "\nhttp://good.example/",
            "http://good.example\r/",
            "http://127.0.0.1\n.good.example/",
            "http://good\texample/",
            "ht\ttp://good.example/",
            "http://127.0.0.1\0.good.example/",
            "http://good.example/\177",
            "http://good.example/" + "a".repeat(9_000)
        }) {
            assertEquals("refused: URL", Checked.check(url, AddressPolicy.PUBLIC_ONLY, NAMES), url);
        }
    }

    static Stream<String> withPasswords() {
        return Stream.of(
                "http://user:hunter2@good.example/",
                "http://good.example:hunter2/",
                "http://hunter2%40good.example/",
                "hunter2://good.example/",
                "http://good.example/{hunter2}",
                "http://good.example/ ?key=hunter2");
    }

    @ParameterizedTest
    @MethodSource("withPasswords")
    void whatIsRefusedIsNotRepeated(String url) {
        TargetReader.Unread unread = assertInstanceOf(TargetReader.Unread.class, TargetReader.read(url));

        assertFalse(unread.refusal().message().contains("hunter2"), unread.refusal()::message);
    }
}
