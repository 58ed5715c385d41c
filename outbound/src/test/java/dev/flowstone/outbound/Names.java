package dev.flowstone.outbound;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.stream.Stream;

/** A name server of paper. A name with several answers gives one after the other, and its last one from then on. */
final class Names implements Resolver {
    /** Names that were asked for, in order. */
    final ConcurrentLinkedQueue<String> asked = new ConcurrentLinkedQueue<>();

    private final Map<String, ConcurrentLinkedQueue<List<InetAddress>>> answers = new ConcurrentHashMap<>();

    /** An answer more: all addresses that the name has at that time. */
    Names with(String name, String... addresses) {
        answers.computeIfAbsent(name, added -> new ConcurrentLinkedQueue<>())
                .add(Stream.of(addresses).map(InetAddress::ofLiteral).toList());
        return this;
    }

    @Override
    public List<InetAddress> resolve(String host) throws UnknownHostException {
        asked.add(host);
        ConcurrentLinkedQueue<List<InetAddress>> left = answers.get(host);
        if (left == null) {
            throw new UnknownHostException(host);
        }
        List<InetAddress> next = left.element();
        if (left.size() > 1) {
            left.remove();
        }
        return next;
    }
}
