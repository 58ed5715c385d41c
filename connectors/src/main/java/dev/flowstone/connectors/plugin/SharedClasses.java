package dev.flowstone.connectors.plugin;

import static java.util.Objects.requireNonNull;

import java.util.List;

/**
 * What plug-ins have in common with the server: the JDK, the SPI and Jackson, and nothing else of what the server is made of. So a plug-in
 * brings its own version of anything else, and a newer server takes none away.
 */
final class SharedClasses extends ClassLoader {
    private static final List<String> SHARED = List.of(
            "dev.flowstone.action.",
            "tools.jackson.",
            "com.fasterxml.jackson.annotation.",
            "org.jspecify.annotations.");

    private final ClassLoader server;

    SharedClasses(ClassLoader server) {
        super("flowstone-shared", getPlatformClassLoader());
        this.server = requireNonNull(server);
    }

    @Override
    protected Class<?> findClass(String name) throws ClassNotFoundException {
        if (SHARED.stream().anyMatch(name::startsWith)) {
            return server.loadClass(name);
        }
        throw new ClassNotFoundException(name);
    }
}
