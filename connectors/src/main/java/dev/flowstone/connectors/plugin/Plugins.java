package dev.flowstone.connectors.plugin;

import dev.flowstone.action.Connector;
import dev.flowstone.connectors.registry.FoundConnector;
import dev.flowstone.connectors.registry.RefusedConnectorException;
import dev.flowstone.connectors.run.ContextLoader;
import java.io.IOException;
import java.net.MalformedURLException;
import java.net.URL;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import java.util.stream.Stream;

/**
 * Finds connectors by {@link ServiceLoader}: their jars name them in {@code META-INF/services/dev.flowstone.action.Connector}. Nothing
 * looks through classes.
 */
public final class Plugins {
    private static final String SERVICE = "META-INF/services/" + Connector.class.getName();
    private static final int MOST = 1_000;
    private static final int MOST_CAUSES = 5;

    private Plugins() {}

    /** Of the class path. */
    public static List<FoundConnector> onClassPath() throws RefusedConnectorException {
        return named(Connector.class.getClassLoader(), "the class path");
    }

    /**
     * Of a folder: each jar in it is a plug-in, and each folder in it is one whose jars belong together. Every plug-in has a class loader
     * of its own, so that what one brings along is in no other's way; of the server it sees {@link SharedClasses} alone. The loaders live
     * as long as the process.
     *
     * @throws RefusedConnectorException if there is no such folder, or a plug-in can't be loaded or names no connector
     */
    public static List<FoundConnector> in(Path folder) throws RefusedConnectorException {
        List<FoundConnector> found = new ArrayList<>();
        for (Path plugin : listed(folder)) {
            List<Path> jars = Files.isDirectory(plugin) ? jars(plugin) : isJar(plugin) ? List.of(plugin) : List.of();
            if (!jars.isEmpty()) {
                List<FoundConnector> connectors = named(loader(jars), plugin.toString());
                if (connectors.isEmpty()) {
                    throw new RefusedConnectorException("the plug-in " + plugin + " names no connector: list the class"
                            + " that implements " + Connector.class.getName() + " in its " + SERVICE
                            + ", or take it out of the folder");
                }
                found.addAll(connectors);
            }
        }
        return found;
    }

    private static List<Path> jars(Path folder) throws RefusedConnectorException {
        return listed(folder).stream().filter(Plugins::isJar).toList();
    }

    private static boolean isJar(Path file) {
        return file.getFileName().toString().endsWith(".jar");
    }

    private static List<Path> listed(Path folder) throws RefusedConnectorException {
        try (Stream<Path> entries = Files.list(folder)) {
            // A mounted folder has its files once more in folders whose names begin with a dot.
            List<Path> all = entries.filter(
                            entry -> !entry.getFileName().toString().startsWith("."))
                    .sorted()
                    .limit(MOST + 1)
                    .toList();
            if (all.size() > MOST) {
                throw new RefusedConnectorException(
                        "the folder of plug-ins " + folder + " has more than " + MOST + " entries");
            }
            return all;
        } catch (IOException e) {
            throw new RefusedConnectorException(
                    "the folder of plug-ins " + folder + " can't be read (connector.plugins): " + e, e);
        }
    }

    private static ClassLoader loader(List<Path> jars) throws RefusedConnectorException {
        URL[] urls = new URL[jars.size()];
        for (int i = 0; i < urls.length; i++) {
            try {
                urls[i] = jars.get(i).toUri().toURL();
            } catch (MalformedURLException e) {
                throw new RefusedConnectorException("the plug-in " + jars.get(i) + " has a path that no URL has", e);
            }
        }
        return new URLClassLoader("flowstone-plugin", urls, new SharedClasses(Connector.class.getClassLoader()));
    }

    private static List<FoundConnector> named(ClassLoader loader, String origin) throws RefusedConnectorException {
        List<FoundConnector> found = new ArrayList<>();
        try (ContextLoader _ = new ContextLoader(loader)) {
            for (Connector each : ServiceLoader.load(Connector.class, loader)) {
                found.add(new FoundConnector(each, origin));
            }
        } catch (ServiceConfigurationError | LinkageError | AssertionError | StackOverflowError | RuntimeException e) {
            throw new RefusedConnectorException(
                    "the connectors of " + origin + " can't be loaded: " + e.getMessage() + cause(e), e);
        }
        return found;
    }

    private static String cause(Throwable failed) {
        StringBuilder causes = new StringBuilder();
        Throwable each = failed.getCause();
        for (int i = 0; i < MOST_CAUSES && each != null; i++) {
            causes.append(" (").append(each).append(')');
            each = each.getCause();
        }
        return causes.toString();
    }
}
