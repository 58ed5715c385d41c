package dev.flowstone.server.config;

import dev.flowstone.outbound.AddressPolicy;
import dev.flowstone.outbound.HostPattern;
import dev.flowstone.outbound.Network;
import dev.flowstone.outbound.OutboundConfig;
import java.time.Duration;
import java.util.List;
import java.util.Set;

/** The {@code outbound.*} settings as the client takes them. */
final class OutboundSettings {
    private static final SettingGroup GROUP = new SettingGroup();

    private static final OutboundConfig O = OutboundConfig.DEFAULT;

    static final Setting<List<HostPattern>> HOSTS = GROUP.add(new Setting<>(
            "outbound.allowedHosts",
            "names with commas between them",
            "",
            "hosts that may be called at addresses inside, such as crm.corp.example,*.lan.example",
            false,
            text -> NameLists.names(text).map(HostPattern::new).toList()));
    static final Setting<List<Network>> NETWORKS = GROUP.add(new Setting<>(
            "outbound.allowedNetworks",
            "networks with commas between them",
            "",
            "networks inside that may be called, such as 10.1.0.0/16,fd00:1::/32,127.0.0.1",
            false,
            NameLists::networks));
    static final Setting<List<Network>> DENIED = GROUP.add(new Setting<>(
            "outbound.deniedNetworks",
            "networks with commas between them",
            "",
            "networks that may not be called, public ones too, whatever else allows them",
            false,
            NameLists::networks));
    static final Setting<Duration> TIMEOUT = GROUP.add(Setting.life(
            "outbound.timeout", O.deadline(), "of a whole call, its redirects included; a call may ask for less"));
    static final Setting<Duration> CONNECT = GROUP.add(Setting.life(
            "outbound.connectTimeout", O.connectTimeout(), "for a connection, and again for its encryption"));
    static final Setting<Integer> BYTES = GROUP.add(Setting.number(
            "outbound.maxResponseBytes",
            O.bodyBytes(),
            0,
            1 << 30,
            "of an answer's body that are kept; the rest is cut off"));
    static final Setting<Integer> REDIRECTS = GROUP.add(Setting.number(
            "outbound.maxRedirects", O.redirects(), 0, 20, "that are followed; with 0 one is an answer like others"));
    static final Setting<Integer> CONNECTIONS = GROUP.add(
            Setting.number("outbound.connections", O.connections(), 1, "at once to all hosts; others wait for one"));
    static final Setting<Integer> PER_HOST = GROUP.add(Setting.number(
            "outbound.perHost", O.perHost(), 1, "calls to one host at once; others wait for their turn"));
    static final Setting<Double> RATE = GROUP.add(Setting.rate(
            "outbound.perHostPerSecond", "calls to one host that begin in a second, evenly; 0 for no limit"));

    private OutboundSettings() {}

    /** In the order in which they are listed. */
    static List<Setting<?>> all() {
        return GROUP.all();
    }

    static OutboundConfig of(Sources sources) throws ConfigException {
        return new OutboundConfig(
                new AddressPolicy(
                        sources.value(NETWORKS), sources.value(HOSTS), List.of(), sources.value(DENIED), Set.of()),
                sources.value(CONNECT),
                sources.value(TIMEOUT),
                sources.value(REDIRECTS),
                sources.value(BYTES),
                O.headerBytes(),
                O.headerLines(),
                sources.value(CONNECTIONS),
                sources.value(PER_HOST),
                sources.value(RATE),
                O.longestPause());
    }
}
