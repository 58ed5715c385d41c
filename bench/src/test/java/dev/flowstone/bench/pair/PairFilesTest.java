package dev.flowstone.bench.pair;

import static org.junit.jupiter.api.Assertions.assertEquals;
import static org.junit.jupiter.api.Assertions.assertFalse;
import static org.junit.jupiter.api.Assertions.assertTrue;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;

final class PairFilesTest {
    private static final PairFiles FILES = new PairFiles("127.7.8.", Path.of("/tmp/pair"), "secret");

    @Test
    void nothingOfTheExamplesOwnIsLeftToPatroni() throws Exception {
        for (String server : PairFiles.SERVERS) {
            String text = FILES.patroni(server);

            for (String own : List.of("10.0.0.", "CHANGE-ME", "/var/lib", "/run/", "automatic")) {
                assertFalse(text.contains(own), () -> own + " in " + text);
            }
            assertTrue(text.contains("synchronous_mode: true"), text);
        }
    }

    @Test
    void eachServerHasItsOwnNameAndAddress() throws Exception {
        String second = FILES.patroni("db-2");

        assertTrue(second.contains("name: db-2 "), second);
        assertTrue(second.contains("listen: 127.7.8.12:5432 "), second);
        assertTrue(second.contains("connect_address: 127.7.8.12:8008 "), second);
        assertTrue(second.contains("data_dir: /tmp/pair/db-2/data\n"), second);
        assertTrue(second.contains("hosts: 127.7.8.11:2379,127.7.8.12:2379,127.7.8.13:2379\n"), second);
    }

    @Test
    void membersOfEtcdKnowEachOther() throws Exception {
        Map<String, String> third = FILES.etcd("node-3");

        assertEquals("node-3", third.get("ETCD_NAME"));
        assertEquals("/tmp/pair/node-3/etcd", third.get("ETCD_DATA_DIR"));
        assertEquals("http://127.7.8.13:2379", third.get("ETCD_LISTEN_CLIENT_URLS"));
        assertEquals(
                "db-1=http://127.7.8.11:2380,db-2=http://127.7.8.12:2380,node-3=http://127.7.8.13:2380",
                third.get("ETCD_INITIAL_CLUSTER"));
    }
}
