package dev.flowstone.server.config;

import dev.flowstone.engine.ownership.LeaseConfig;
import dev.flowstone.engine.ownership.Member;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/** What is set about a node among others, and whether it goes together. */
final class NodeSettings {
    private static final SettingGroup GROUP = new SettingGroup();

    private static final Pattern HOST_AND_PORT = Pattern.compile("(\\[[0-9A-Fa-f:.]+\\]|[A-Za-z0-9.-]+):([0-9]{1,5})");
    private static final Pattern NAME_FORM = Pattern.compile("[A-Za-z0-9._-]{1," + Member.MOST_CHARACTERS + "}");
    private static final Duration SHORTEST = Duration.ofSeconds(2);
    private static final Duration LONGEST = Duration.ofHours(1);
    private static final int MOST_PORT = 65_535;

    static final Setting<String> NAME = GROUP.add(Setting.text(
            "node.name",
            "",
            "this node's name among others; one that survives a restart takes its shards back at once"));
    static final Setting<String> ADDRESS = GROUP.add(Setting.text(
            "node.address", "", "HOST:PORT at which other nodes reach this one; without it, it stands alone"));
    static final Setting<String> HOST =
            GROUP.add(Setting.text("node.host", "", "address to listen on for other nodes, if it isn't that host"));
    static final Setting<String> CERTIFICATE =
            GROUP.add(Setting.text("node.certificate", "", "PEM file that it shows other nodes"));
    static final Setting<String> KEY = GROUP.add(Setting.text("node.key", "", "PEM file of that certificate's key"));
    static final Setting<String> AUTHORITY =
            GROUP.add(Setting.text("node.authority", "", "PEM file of the authority that makes nodes' certificates"));
    static final Setting<Duration> LEASE = GROUP.add(Setting.time(
            "lease.timeToLive", LeaseConfig.DEFAULT.timeToLive(), "after which a silent node's shards go to others"));
    static final Setting<Duration> HAND_OVER = GROUP.add(Setting.time(
            "lease.handOver",
            LeaseConfig.DEFAULT.handOver(),
            "for which a shard that moves to another node waits for its handlers"));

    private NodeSettings() {}

    /** In the order in which they are listed. */
    static List<Setting<?>> all() {
        return GROUP.all();
    }

    static FlowstoneConfig.Node of(Sources sources) throws ConfigException {
        return new FlowstoneConfig.Node(
                name(text(sources, NAME)), lease(sources.value(LEASE), sources.value(HAND_OVER)), peers(sources));
    }

    private static Optional<String> name(Optional<String> text) throws ConfigException {
        if (text.isPresent() && !NAME_FORM.matcher(text.get()).matches()) {
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
        Optional<String> address = text(sources, ADDRESS);
        if (address.isEmpty()) {
            return Optional.empty();
        }
        Matcher parts = HOST_AND_PORT.matcher(address.get());
        if (!parts.matches() || Integer.parseInt(parts.group(2)) > MOST_PORT || Integer.parseInt(parts.group(2)) == 0) {
            throw new ConfigException(
                    "node.address takes HOST:PORT, at which other nodes reach this one, not '" + address.get() + "'");
        }
        String host = parts.group(1).replaceAll("[\\[\\]]", "");
        return Optional.of(new FlowstoneConfig.Peers(
                address.get(),
                text(sources, HOST).orElse(host),
                Integer.parseInt(parts.group(2)),
                file(sources, CERTIFICATE),
                file(sources, KEY),
                file(sources, AUTHORITY)));
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
