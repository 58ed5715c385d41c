package dev.flowstone.server.cli;

import dev.flowstone.kernel.id.RunId;
import dev.flowstone.server.client.Identity;
import dev.flowstone.server.client.ServerClient;
import java.net.URI;
import java.net.URISyntaxException;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/** Which server, and who asks it: what all commands share that speak to one. */
final class RemoteOptions {
    static final String SERVER = "FLOWSTONE_SERVER";
    static final String PRINCIPAL = "FLOWSTONE_PRINCIPAL";
    static final String TOKEN = "FLOWSTONE_TOKEN";

    private static final String OTHERWISE = "http://127.0.0.1:8080";

    private final Map<String, String> environment;

    @Option(
            names = "--server",
            paramLabel = "URL",
            description = "The running server (default: " + SERVER + ", or " + OTHERWISE
                    + "); its token, if it asks for one, is taken from " + TOKEN + ".")
    private @Nullable String server;

    @Option(names = "--tenant", paramLabel = "NAME", description = "Whose runs (default: default).")
    private @Nullable String tenant;

    @Option(
            names = "--as",
            paramLabel = "WHO",
            description = "Who acts: anna, user:anna or service:billing (default: " + PRINCIPAL + ", or user:system).")
    private @Nullable String principal;

    @Option(names = "--roles", paramLabel = "ROLES", description = "The roles of who acts, with commas between them.")
    private @Nullable String roles;

    @Option(names = "--json", description = "Print what the server answered, as JSON.")
    private boolean json;

    RemoteOptions(Map<String, String> environment) {
        this.environment = Map.copyOf(environment);
    }

    boolean json() {
        return json;
    }

    boolean namesServer() {
        return server != null;
    }

    ServerClient client() throws UsageException {
        return client(uri());
    }

    /** As the same caller, to a server that is known. */
    ServerClient client(URI address) {
        return new ServerClient(
                address, new Identity(Optional.ofNullable(tenant), who(), Optional.ofNullable(roles), token()));
    }

    /** Shows an execution; answers the exit code. */
    int follow(Terminal terminal, RunId run, boolean wait) throws UsageException, InterruptedException {
        Verb verb = Verb.get("show", "Show it.", "/executions/{id}", new Report.Change(), "executions show");
        AnswerText answers = new AnswerText(terminal, verb, Map.of("id", run.toString()), json);
        EventPrinter printer =
                json ? new JsonEvents(terminal) : new TimelineText(terminal, NextSteps.ofServer(again()));
        try (ServerClient client = client()) {
            return new RemoteFollower(
                            new PatientReader(client::call, terminal, PatientReader.Time.MACHINE),
                            run.toString(),
                            printer,
                            answers)
                    .follow(wait);
        }
    }

    /** How to name the same server and caller in another call; begins with a space unless nothing has to be said. */
    String again() {
        StringBuilder words = new StringBuilder();
        option(words, "--server", server);
        option(words, "--tenant", tenant);
        option(words, "--as", principal);
        option(words, "--roles", roles);
        return words.toString();
    }

    private static void option(StringBuilder words, String name, @Nullable String value) {
        if (value != null) {
            words.append(' ').append(name).append(' ').append(Hints.word(value));
        }
    }

    private URI uri() throws UsageException {
        String variable = environment.getOrDefault(SERVER, "");
        String text = server != null ? server : variable.isEmpty() ? OTHERWISE : variable;
        try {
            URI uri = new URI(text.replaceFirst("(/api/v1)?/*$", ""));
            if (("http".equals(uri.getScheme()) || "https".equals(uri.getScheme())) && uri.getHost() != null) {
                return uri;
            }
        } catch (URISyntaxException e) {
            // Told below, like one that leads nowhere.
        }
        throw new UsageException("--server takes an address such as " + OTHERWISE + ", not '" + text + "'");
    }

    /** Never an argument: everybody on the machine reads those. */
    private Optional<String> token() {
        return Optional.ofNullable(environment.get(TOKEN)).filter(text -> !text.isEmpty());
    }

    /** Who has no kind is a person. */
    private Optional<String> who() {
        return Optional.ofNullable(principal != null ? principal : environment.get(PRINCIPAL))
                .filter(name -> !name.isEmpty())
                .map(name -> name.contains(":") ? name : "user:" + name);
    }
}
