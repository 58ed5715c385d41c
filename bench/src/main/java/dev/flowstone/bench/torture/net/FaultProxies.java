package dev.flowstone.bench.torture.net;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/** A client's ways to the servers of one database, to which the same happens at once. */
public final class FaultProxies implements AutoCloseable {
    private final List<FaultProxy> all;

    private FaultProxies(List<FaultProxy> all) {
        this.all = List.copyOf(all);
    }

    /** One before each of them, in their order. */
    public static FaultProxies to(List<InetSocketAddress> servers) throws IOException {
        List<FaultProxy> all = new ArrayList<>();
        try {
            for (InetSocketAddress server : servers) {
                all.add(FaultProxy.to(server));
            }
            return new FaultProxies(all);
        } catch (IOException e) {
            new FaultProxies(all).close();
            throw e;
        }
    }

    /** Of the loopback interface, in the servers' order. */
    public List<Integer> ports() {
        return all.stream().map(FaultProxy::port).toList();
    }

    public void slow(Duration latency, Duration jitter) {
        all.forEach(proxy -> proxy.slow(latency, jitter));
    }

    public void standStill() {
        all.forEach(FaultProxy::standStill);
    }

    public void refuse() {
        all.forEach(FaultProxy::refuse);
    }

    public void resetAll() {
        all.forEach(FaultProxy::resetAll);
    }

    /** On each of them; commits go to one. */
    public void loseCommitAnswers(int answers) {
        all.forEach(proxy -> proxy.loseCommitAnswers(answers));
    }

    public int lostAnswers() {
        return all.stream().mapToInt(FaultProxy::lostAnswers).sum();
    }

    public void clear() {
        all.forEach(FaultProxy::clear);
    }

    @Override
    public void close() throws IOException {
        IOException first = null;
        for (FaultProxy proxy : all) {
            try {
                proxy.close();
            } catch (IOException e) {
                first = first == null ? e : first;
            }
        }
        if (first != null) {
            throw first;
        }
    }
}
