package dev.flowstone.server.cli;

import dev.flowstone.server.auth.Authentication;
import dev.flowstone.server.config.FlowstoneConfig;
import dev.flowstone.server.config.Setting;
import dev.flowstone.server.config.Settings;
import dev.flowstone.server.node.CannotStartException;
import dev.flowstone.server.node.Flowstone;
import dev.flowstone.server.node.Serving;
import java.io.OutputStream;
import java.net.BindException;
import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.UsageMessageSpec;
import picocli.CommandLine.Option;

/** {@code serve}: REST until somebody says stop. */
@Command(
        name = "serve",
        header = "Serve workflows over HTTP.",
        description = {
            "Prints one line on standard output when it is ready; SIGTERM or Ctrl-C stops it in good order.",
            "It waits for a database of --db that is away, or goes away before it is ready, and says so in its log.",
            "Everybody who reaches the port is trusted, so it listens on the loopback interface only, unless callers have to show",
            "a token: the secret http.token, or one of the issuer's that auth.jwt.issuer, .audience and .keys name. It does not",
            "encrypt: put a proxy with TLS in front.%n"
        },
        footer = {
            "",
            "Examples:",
            "  flowstone serve",
            "  flowstone serve --port 0 --data /var/lib/flowstone",
            "  flowstone serve --db jdbc:postgresql://localhost/flowstone --set database.user=flowstone",
            "  FLOWSTONE_HTTP_TOKEN=$(openssl rand -hex 32) flowstone serve --host 0.0.0.0",
            "",
            Exit.HELP
        })
final class ServeCommand implements Callable<Integer> {
    private static final String SETTINGS = "settings";

    private final Terminal terminal;

    @Mixin
    private StoreOptions store = new StoreOptions();

    @Option(names = "--port", paramLabel = "PORT", description = "Port (default: 8080); 0 picks a free one.")
    private @Nullable String port;

    @Option(names = "--host", paramLabel = "HOST", description = "Address to listen on (default: 127.0.0.1).")
    private @Nullable String host;

    @Option(
            names = "--log-format",
            paramLabel = "FORMAT",
            description = "text, or json: one object a line, with tenant, run and event (default: text).")
    private @Nullable String logFormat;

    @Option(
            names = "--rehearse",
            hidden = true,
            description = "Ask what is usually asked, once, and stop: for whoever makes the AOT cache.")
    private boolean rehearse;

    @Option(
            names = "--until-input-ends",
            hidden = true,
            description = "Stop in good order when standard input ends: for a process that dies with its parent.")
    private boolean untilInputEnds;

    ServeCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    /** Lets the command's help list every setting. */
    static CommandLine withSettings(CommandLine line) {
        line.getHelpSectionMap()
                .put(
                        SETTINGS,
                        help ->
                                "%nSettings (--set NAME=VALUE, a variable, or a file; the first that is there counts):%n"
                                                .formatted()
                                        + help.createTextTable(settings()));
        List<String> keys = new ArrayList<>(line.getHelpSectionKeys());
        keys.add(keys.indexOf(UsageMessageSpec.SECTION_KEY_FOOTER_HEADING), SETTINGS);
        line.setHelpSectionKeys(keys);
        return line;
    }

    private static Map<String, String> settings() {
        Map<String, String> rows = new LinkedHashMap<>();
        for (Setting<?> setting : Settings.all()) {
            String otherwise = setting.otherwise().isEmpty() ? "unset" : setting.otherwise();
            rows.put(
                    "  " + setting.name(),
                    setting.meaning() + " (default: " + otherwise + "; " + setting.variable() + ")");
        }
        return rows;
    }

    @Override
    public Integer call() throws Exception {
        Map<String, String> own = new LinkedHashMap<>();
        if (port != null) {
            own.put("http.port", port);
        }
        if (host != null) {
            own.put("http.host", host);
        }
        if (logFormat != null) {
            own.put("log.format", logFormat);
        }
        FlowstoneConfig config = store.config(own);
        Logging.as(config.log().format());
        InetAddress address = address(config.http());
        // Stopping in good order is a success, which the JVM would not say after a signal.
        try (Stop stop = new Stop(() -> {}, () -> Runtime.getRuntime().halt(Exit.SUCCEEDED))) {
            Serving serving = stop.opening(() -> serving(config, address, stop));
            terminal.out()
                    .println(
                            "Flowstone is ready: " + url(address, serving.port()) + " (" + serving.description() + ")");
            if (rehearse) {
                new Rehearsal(address, serving.port()).run();
                return Exit.SUCCEEDED;
            }
            if (untilInputEnds) {
                long _ = System.in.transferTo(OutputStream.nullOutputStream());
                return Exit.SUCCEEDED;
            }
            new CountDownLatch(1).await();
        }
        return Exit.SUCCEEDED;
    }

    private static Serving serving(FlowstoneConfig config, InetAddress address, Stop stop) throws CannotStartException {
        try {
            return Serving.start(
                    address,
                    config.http().port(),
                    config.http(),
                    config.node().peers(),
                    FlowstoneCommand.Version.number(),
                    () -> Flowstone.openOnceThere(config, stop::signaled));
        } catch (BindException e) {
            throw new CannotStartException(
                    "can't listen on " + config.http().host() + " port "
                            + config.http().port() + ": " + e.getMessage()
                            + "; choose another with --port, or let --port 0 find a free one",
                    e);
        }
    }

    private static InetAddress address(FlowstoneConfig.Http http) throws UsageException {
        InetAddress address;
        try {
            address = InetAddress.getByName(http.host());
        } catch (UnknownHostException e) {
            throw new UsageException("--host: there is no host '" + http.host() + "'");
        }
        Optional<String> missing = Authentication.missing(address, http);
        if (missing.isPresent()) {
            throw new UsageException(missing.get());
        }
        return address;
    }

    private static String url(InetAddress address, int port) {
        String text = address.getHostAddress();
        return "http://" + (text.contains(":") ? "[" + text.replaceFirst("%.*", "") + "]" : text) + ":" + port
                + "/api/v1";
    }
}
