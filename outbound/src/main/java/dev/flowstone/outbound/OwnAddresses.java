package dev.flowstone.outbound;

import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.time.Duration;
import java.util.Set;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.stream.Collectors;

/**
 * The addresses of this machine's own interfaces. A public one leads to what listens here just as 127.0.0.1 does, past whatever keeps
 * others out. They are read at the start and again after five minutes, when somebody asks; while they can't be read, what was read last
 * holds.
 */
final class OwnAddresses {
    private static final Duration FRESH = Duration.ofMinutes(5);

    private final Supplier<Set<InetAddress>> source;
    private final LongSupplier nanos;
    private volatile Known known;

    private record Known(Set<InetAddress> addresses, long readAt) {}

    /**
     * What a source says.
     *
     * @param source throws {@link UncheckedIOException} if it can't be read
     * @param nanos a clock that never turns back
     */
    OwnAddresses(Supplier<Set<InetAddress>> source, LongSupplier nanos) {
        this.source = source;
        this.nanos = nanos;
        this.known = new Known(source.get(), nanos.getAsLong());
    }

    static OwnAddresses ofThisMachine() {
        return new OwnAddresses(OwnAddresses::read, System::nanoTime);
    }

    boolean contains(InetAddress address) {
        Known now = known;
        if (nanos.getAsLong() - now.readAt() > FRESH.toNanos()) {
            now = readAgain(now);
        }
        return now.addresses().contains(address);
    }

    private Known readAgain(Known before) {
        Known again;
        try {
            again = new Known(source.get(), nanos.getAsLong());
        } catch (UncheckedIOException e) {
            again = new Known(before.addresses(), nanos.getAsLong());
        }
        known = again;
        return again;
    }

    private static Set<InetAddress> read() {
        try {
            return NetworkInterface.networkInterfaces()
                    .flatMap(NetworkInterface::inetAddresses)
                    .collect(Collectors.toUnmodifiableSet());
        } catch (SocketException e) {
            throw new UncheckedIOException("the interfaces of this machine can't be listed", e);
        }
    }
}
