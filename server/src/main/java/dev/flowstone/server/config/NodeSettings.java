package dev.flowstone.server.config;

import dev.flowstone.engine.ownership.LeaseConfig;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What is set about a node among others, and whether it goes together. */
final class NodeSettings {
    private static final Pattern ADDRESS = Pattern.compile("(\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9.-]+):([0-9]{1,5})");
    private static final int MOST_PORT = 65_535;

    private NodeSettings() {}

    static FlowstoneConfig.Node of(Sources sources) throws ConfigException {
        return new FlowstoneConfig.Node(
                text(sources, Settings.NODE_NAME),
                lease(sources.value(Settings.LEASE), sources.value(Settings.HAND_OVER)),
                peers(sources));
    }

    private static LeaseConfig lease(Duration timeToLive, Duration handOver) {
        LeaseConfig usual = LeaseConfig.DEFAULT;
        // The margin is for pauses of a node, which are no shorter where its leases are: but never half of one.
        Duration margin = usual.margin().compareTo(timeToLive.dividedBy(4)) < 0 ? usual.margin() : timeToLive.dividedBy(4);
        return new LeaseConfig(timeToLive, margin, handOver);
    }

    private static Optional<FlowstoneConfig.Peers> peers(Sources sources) throws ConfigException {
        Optional<String> address = text(sources, Settings.NODE_ADDRESS);
        if (address.isEmpty()) {
            return Optional.empty();
        }
        Matcher parts = ADDRESS.matcher(address.get());
        if (!parts.matches() || Integer.parseInt(parts.group(2)) > MOST_PORT || Integer.parseInt(parts.group(2)) == 0) {
            throw new ConfigException(
                    "node.address takes HOST:PORT, at which other nodes reach this one, not '" + address.get() + "'");
        }
        String host = parts.group(1).replaceAll("[\\[\\]]", "");
        return Optional.of(new FlowstoneConfig.Peers(
                address.get(),
                text(sources, Settings.NODE_HOST).orElse(host),
                Integer.parseInt(parts.group(2)),
                file(sources, Settings.NODE_CERTIFICATE),
                file(sources, Settings.NODE_KEY),
                file(sources, Settings.NODE_AUTHORITY)));
    }

    private static Optional<String> text(Sources sources, Setting<String> setting) throws ConfigException {
        return Optional.of(sources.value(setting)).filter(it -> !it.isBlank());
    }

    private static Path file(Sources sources, Setting<String> setting) throws ConfigException {
        return text(sources, setting)
                .map(Path::of)
                .orElseThrow(() -> new ConfigException("node.address needs " + setting.name()
                        + ": nodes show each other certificates; docs/cluster.md tells how to make them"));
    }
}
