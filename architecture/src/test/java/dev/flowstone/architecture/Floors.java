package dev.flowstone.architecture;

import java.util.List;

/** The floors of the house by their packages, as ArchUnit writes them. */
final class Floors {
    static final String KERNEL = "dev.flowstone.kernel..";
    static final String EXPRESSION = "dev.flowstone.expression..";

    /** Above the expressions, though it doesn't use them: whoever sends something out of the house may stand on it. */
    static final String OUTBOUND = "dev.flowstone.outbound..";

    /** What the author of an action sees: on the JDK and Jackson alone. */
    static final String ACTION = "dev.flowstone.action..";

    static final String DIALECTS = "dev.flowstone.dialect..";
    static final String ENGINE = "dev.flowstone.engine..";
    static final String TESTKIT = "dev.flowstone.testkit..";
    static final String POSTGRES = "dev.flowstone.postgres..";

    /** Who calls, and what they may do. */
    static final String SECURITY = "dev.flowstone.security..";

    /** What starts executions from outside, and under which condition. */
    static final String TRIGGERS = "dev.flowstone.triggers..";

    /** Documents from templates: the language of their bodies, and what answers have to satisfy. */
    static final String TEMPLATES = "dev.flowstone.templates..";

    /** Actions of others, bound and run for the engine. */
    static final String CONNECTORS = "dev.flowstone.connectors..";

    /** Connectors for others' services, as anybody would write them. */
    static final String VENDORS = "dev.flowstone.vendors..";
    /** E-mail over SMTP as a connector, for which it takes no more of the house than any plug-in. */
    static final String MAIL = "dev.flowstone.mail..";

    static final String BENCH = "dev.flowstone.bench..";
    static final String SDK = "dev.flowstone.sdk..";

    /** Measured in a process of its own; beside the house, as its users' workers are. */
    static final String WORKER = "dev.flowstone.bench.worker..";

    /** Judges what real processes told clients, by the testkit's checker of histories. */
    static final String TORTURE = "dev.flowstone.bench.torture..";

    static final String SERVER = "dev.flowstone.server..";

    /** Neither the testkit nor the SDK is among them: one stands beside the house on the engine, the other outside of it. */
    static final List<String> LOWEST_FIRST = List.of(
            KERNEL,
            EXPRESSION,
            OUTBOUND,
            ACTION,
            DIALECTS,
            ENGINE,
            POSTGRES,
            SECURITY,
            TRIGGERS,
            TEMPLATES,
            CONNECTORS,
            VENDORS,
            MAIL,
            BENCH,
            SERVER);

    /** The command line, which alone talks to the terminal. */
    static final String COMMAND_LINE = "dev.flowstone.server.cli..";

    private Floors() {}
}
