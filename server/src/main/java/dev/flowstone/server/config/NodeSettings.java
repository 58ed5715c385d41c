package dev.flowstone.server.config;

import dev.flowstone.engine.ownership.LeaseConfig;
import dev.flowstone.engine.ownership.Member;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What is set about a node among others, and whether it goes together. */
final class NodeSettings {
    private static final Pattern ADDRESS = Pattern.compile("(\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9.-]+):([0-9]{1,5})");
    private static final Pattern NAME = Pattern.compile("[A-Za-z0-9._-]{1," + Member.MOST_CHARACTERS + "}");
    private static final Duration SHORTEST = Duration.ofSeconds(2);
    private static final Duration LONGEST = Duration.ofHours(1);
    private static final int MOST_PORT = 65_535;

    private NodeSettings() {}

    static FlowstoneConfig.Node of(Sources sources) throws ConfigException {
        return new FlowstoneConfig.Node(
                name(text(sources, Settings.NODE_NAME)),
                lease(sources.value(Settings.LEASE), sources.value(Settings.HAND_OVER)),
                peers(sources));
    }

    private static Optional<String> name(Optional<String> text) throws ConfigException {
        if (text.isPresent() && !NAME.matcher(text.get()).matches()) {
            throw new ConfigException("node.name takes 1 to " + Member.MOST_CHARACTERS
                    + " letters, digits, dots, underscores and hyphens, not '" + text.get() + "'");
        }
        return text;
    }

    private static LeaseConfig lease(Duration timeToLive, Duration handOver) throws ConfigException {
        if (timeToLive.compareTo(SHORTEST) < 0 || timeToLive.compareTo(LONGEST) > 0) {
            throw new ConfigException("lease.timeToLive takes 2 s to 1 h, not " + timeToLive);
        }
        if (handOver.isNegative() || handOver.compareTo(LONGEST) > 0) {
            throw new ConfigException("lease.handOver takes up to 1 h, not " + handOver);
        }
        LeaseConfig usual = LeaseConfig.DEFAULT;
        // The margin is for pauses of a node, which are no shorter where its leases are: but never half of one.
        Duration margin =
                usual.margin().compareTo(timeToLive.dividedBy(4)) < 0 ? usual.margin() : timeToLive.dividedBy(4);
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
