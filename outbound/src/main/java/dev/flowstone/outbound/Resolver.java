package dev.flowstone.outbound;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.List;

/** Looks names up. May block for as long as it likes: nobody waits for it beyond the call's deadline. */
@FunctionalInterface
interface Resolver {
    /** The system's: files of hosts and DNS, as the JDK asks and caches them. */
    Resolver SYSTEM = host -> List.of(InetAddress.getAllByName(host));

    /** All addresses of that name. */
    List<InetAddress> resolve(String host) throws UnknownHostException;
}
