package dev.flowstone.bench.pair;

import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.security.SecureRandom;
import java.util.List;

/** Addresses of this machine's own: every one that begins with 127 is. */
final class LoopbackNetwork {
    static final int POSTGRES_PORT = 5432;
    static final int PATRONI_PORT = 8008;

    private static final List<Integer> PORTS = List.of(2379, 2380, POSTGRES_PORT, PATRONI_PORT);
    private static final int TRIES = 20;

    private LoopbackNetwork() {}

    /** The first three numbers, and a dot, of addresses at which nobody listens where a pair is going to. */
    static String free(SecureRandom random) throws IOException {
        for (int tries = 0; tries < TRIES; tries++) {
            String network = "127." + (1 + random.nextInt(254)) + "." + random.nextInt(256) + ".";
            if (isFree(network)) {
                return network;
            }
        }
        throw new IOException("ports " + PORTS + " of the loopback interface are somebody else's");
    }

    private static boolean isFree(String network) throws IOException {
        for (int host : PairFiles.HOSTS.values()) {
            for (int port : PORTS) {
                try (ServerSocket _ = new ServerSocket(port, 1, InetAddress.getByName(network + host))) {
                    // And let go of again.
                } catch (BindException e) {
                    return false;
                }
            }
        }
        return true;
    }
}
