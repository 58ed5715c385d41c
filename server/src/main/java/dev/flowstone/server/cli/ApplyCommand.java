package dev.flowstone.server.cli;

import dev.flowstone.expression.ScriptExpressions;
import dev.flowstone.server.client.ServerClient;
import dev.flowstone.server.config.FlowstoneConfig;
import dev.flowstone.server.deploy.Contents;
import dev.flowstone.server.deploy.DeployException;
import dev.flowstone.server.deploy.Deployment;
import dev.flowstone.server.deploy.FolderReader;
import dev.flowstone.server.deploy.Plan;
import dev.flowstone.server.deploy.TemplateReader;
import dev.flowstone.server.deploy.TriggerReader;
import dev.flowstone.server.deploy.UnreadableLedgerException;
import dev.flowstone.server.deploy.Wishes;
import dev.flowstone.server.node.CannotStartException;
import dev.flowstone.server.node.Flowstone;
import dev.flowstone.server.node.Serving;
import dev.flowstone.templates.DocumentTemplates;
import dev.flowstone.triggers.condition.Activation;
import java.io.IOException;
import java.net.BindException;
import java.net.InetAddress;
import java.net.URI;
import java.nio.file.Path;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/** {@code apply}: a folder of definitions and triggers becomes what a server has. */
@Command(
        name = "apply",
        header = "Deploy a folder of workflows, triggers and templates; applied twice, it is done once.",
        description = {
            "Reads every *.json below DIR and tells all that is wrong with them; compares them with the server, shows what",
            "is to be done, and does it. What others have made or changed is told and left alone, and then nothing is done.",
            "Speaks to a running server, or with --data or --db opens that database itself.%n"
        },
        footer = {
            "",
            "Examples:",
            "  flowstone apply examples/deploy --name shop --dry-run",
            "  flowstone apply examples/deploy --name shop --prune",
            "  flowstone apply examples/deploy --name shop --data /var/lib/flowstone",
            "",
            "Exit codes: 0 done, or nothing to do, 1 others stand in the way or the server refused, 2 a file is wrong or the",
            "call can't be meant, 3 no server answers, 4 with --dry-run --exit-code: something is to be done."
        })
final class ApplyCommand implements Callable<Integer> {
    /** With {@code --dry-run --exit-code}: something is to be done. */
    private static final int PENDING = 4;

    private final Terminal terminal;

    @Mixin
    private RemoteOptions remote = new RemoteOptions(System.getenv());

    @Mixin
    private DatabaseOptions database = new DatabaseOptions();

    @Mixin
    private SettingOptions settings = new SettingOptions();

    @Parameters(paramLabel = "DIR", description = "The folder.")
    private Path folder = Path.of("");

    @Option(
            names = "--name",
            paramLabel = "NAME",
            required = true,
            description = "Whose the things are that it makes: the same for the same folder, always.")
    private String name = "";

    @Option(names = "--dry-run", description = "Show what is to be done, and do nothing.")
    private boolean dryRun;

    @Option(names = "--exit-code", description = "With --dry-run: exit with 4 if something is to be done.")
    private boolean exitCode;

    @Option(
            names = "--prune",
            description = "Remove what this deployment has made and the folder doesn't have any more.")
    private boolean prune;

    @Option(names = "--overwrite", description = "Also make what others have made or changed as the folder says.")
    private boolean overwrite;

    ApplyCommand(Terminal terminal) {
        this.terminal = terminal;
    }

    @Override
    public Integer call() throws Exception {
        if (exitCode && !dryRun) {
            throw new UsageException("--exit-code goes with --dry-run");
        }
        if (database.isNamed() && remote.namesServer()) {
            throw new UsageException("--server names a running server, --data and --db a database without one: choose");
        }
        FlowstoneConfig config = settings.config(database.flags());
        String deployment = named();
        TriggerReader triggers =
                new TriggerReader(new Activation(new ScriptExpressions(config.expressions())), System.getenv());
        Contents contents = contents(config, triggers, deployment);
        DeployText text = new DeployText(terminal, folder, deployment, remote.json());
        text.flaws(contents);
        if (contents.hasErrors()) {
            return Exit.INVALID;
        }
        if (!database.isNamed()) {
            try (ServerClient client = remote.client()) {
                return apply(deployment, contents, triggers, client, text);
            }
        }
        try (Stop stop = new Stop()) {
            Serving serving = stop.opening(() -> serving(config));
            URI address = URI.create("http://127.0.0.1:" + serving.port());
            try (ServerClient client = remote.client(address)) {
                return apply(deployment, contents, triggers, client, text);
            }
        }
    }

    private static Serving serving(FlowstoneConfig config) throws CannotStartException {
        try {
            return Serving.start(
                    InetAddress.ofLiteral("127.0.0.1"),
                    0,
                    config.http(),
                    FlowstoneCommand.Version.number(),
                    () -> Flowstone.open(config));
        } catch (BindException e) {
            throw new CannotStartException("can't listen on the loopback interface: " + e.getMessage(), e);
        }
    }

    private String named() throws UsageException {
        if (!name.matches("[a-z0-9][a-z0-9-]{0,49}")) {
            throw new UsageException("a deployment's name is 1 to 50 of a-z, 0-9 and '-', and '" + name
                    + "' is none; choose one with --name");
        }
        return name;
    }

    private Contents contents(FlowstoneConfig config, TriggerReader triggers, String deployment)
            throws UsageException, CannotStartException {
        try {
            return new FolderReader(
                            Flowstone.definitions(config),
                            triggers,
                            new TemplateReader(new DocumentTemplates(new ScriptExpressions(config.expressions()))),
                            config.http().maxBodyBytes())
                    .read(folder, Deployment.ledgerOf(deployment));
        } catch (IOException e) {
            throw new UsageException(folder + " can't be read as a folder: " + Definitions.reason(e));
        }
    }

    private int apply(
            String deploymentName, Contents contents, TriggerReader triggers, ServerClient client, DeployText text)
            throws InterruptedException, UsageException {
        Deployment deployment =
                new Deployment(deploymentName, contents, triggers, client, new Wishes(prune, overwrite));
        try {
            Plan plan = deployment.plan();
            text.plan(plan);
            if (plan.hasConflicts()) {
                return text.end(Exit.FAILED);
            }
            if (!dryRun) {
                deployment.apply(plan, text::done);
            }
            return text.end(dryRun && exitCode && plan.isPending() ? PENDING : Exit.SUCCEEDED);
        } catch (DeployException e) {
            return text.stopped(e);
        } catch (UnreadableLedgerException e) {
            throw new UsageException(String.valueOf(e.getMessage()));
        }
    }
}
