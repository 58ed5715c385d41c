package dev.flowstone.bench.rig;

import dev.flowstone.engine.Engine;
import dev.flowstone.engine.Ports;
import dev.flowstone.engine.shard.Observer;
import dev.flowstone.engine.trigger.Triggers;

/** Puts the real server in front of a database; the server's own, which stands on a higher floor than this module. */
@FunctionalInterface
public interface HttpDoor {
    /** Opens an engine on these ports, named {@link Rig#NODE}, and HTTP on the loopback interface in front of it. */
    Opened open(Ports ports, Observer observer) throws Exception;

    /** The same, where triggers are kept, too. */
    default Opened open(Ports ports, Triggers triggers, Observer observer) throws Exception {
        throw new IllegalStateException("there are no triggers here");
    }

    /** The name of the class whose {@code main} is the command line, by which a server is started in a process of its own. */
    default String commandLine() {
        throw new IllegalStateException("there is no command line here to start servers by");
    }

    /** Closes engine and HTTP, and leaves the ports open. */
    interface Opened extends AutoCloseable {
        int port();

        Engine engine();

        @Override
        void close();
    }
}
