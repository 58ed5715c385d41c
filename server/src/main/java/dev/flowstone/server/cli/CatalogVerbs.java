package dev.flowstone.server.cli;

import dev.flowstone.server.cli.Report.Column;
import dev.flowstone.server.cli.Verb.Argument;
import dev.flowstone.server.cli.Verb.Flag;
import dev.flowstone.server.cli.Verb.Kind;
import java.util.List;

/** What people do with the catalog on a running server; each row is a route of {@code docs/rest.md}. */
final class CatalogVerbs {
    private static final String CONNECTORS = "/connectors";
    private static final String ACTIONS = "/actions";
    private static final String ID = "/{id}";
    private static final Argument CONNECTOR =
            new Argument("id", "CONNECTOR", "The connector's id; `connectors list` has it.");
    private static final Argument ACTION = new Argument("id", "ACTION", "The action's id; `actions list` has it.");
    private static final Flag WHY = Flag.may("--reason", "reason", Kind.TEXT, "TEXT", "Why; it is kept with it.");
    private static final Report.Rows ROWS = new Report.Rows(
            List.of(
                    new Column("ACTION", "id"),
                    new Column("VERSION", "version"),
                    new Column("CATEGORY", "category"),
                    new Column("ENABLED", "isEnabled"),
                    new Column("THERE", "isRegistered"),
                    new Column("NAME", "displayName"),
                    new Column("DESCRIPTION", "description")),
            "No actions.");

    private CatalogVerbs() {}

    /** {@code flowstone connectors …}. */
    static List<Verb> ofConnectors() {
        return List.of(
                Verb.list(
                        "list",
                        "List connectors by id.",
                        CONNECTORS,
                        new Report.Rows(
                                List.of(
                                        new Column("CONNECTOR", "id"),
                                        new Column("VERSION", "version"),
                                        new Column("ENABLED", "isEnabled"),
                                        new Column("THERE", "isRegistered"),
                                        new Column("NAME", "displayName"),
                                        new Column("DESCRIPTION", "description")),
                                "No connectors."),
                        "connectors list"),
                Verb.get("show", "Show one.", CONNECTORS + ID, new Report.Change(), "connectors show core", CONNECTOR),
                Verb.list(
                        "actions",
                        "List its actions by id.",
                        CONNECTORS + ID + ACTIONS,
                        ROWS,
                        "connectors actions core",
                        CONNECTOR),
                turn("enable", "Turn it on, for all tenants.", CONNECTORS, "connectors enable acme", CONNECTOR),
                turn(
                        "disable",
                        "Turn it off with all its actions, for all tenants.",
                        CONNECTORS,
                        "connectors disable acme --reason 'their side is down'",
                        CONNECTOR));
    }

    /** {@code flowstone actions …}. */
    static List<Verb> ofActions() {
        return List.of(
                Verb.list("list", "List actions by id.", ACTIONS, ROWS, "actions list --category Data")
                        .flags(
                                Flag.may(
                                        "--connector", "connectorId", Kind.TEXT, "ID", "Only those of this connector."),
                                Flag.may("--category", "category", Kind.TEXT, "NAME", "Only those of this category."),
                                Flag.may("--tag", "tag", Kind.TEXT, "WORD", "Only those that have this tag."),
                                Flag.may(
                                        "--search",
                                        "search",
                                        Kind.TEXT,
                                        "TEXT",
                                        "Only those that have this in id, name, description or tags."),
                                Flag.may(
                                        "--enabled",
                                        "isEnabled",
                                        Kind.TEXT,
                                        "true|false",
                                        "Only those that may be named, or may not.")),
                Verb.get(
                        "show",
                        "Show one, with its schemas.",
                        ACTIONS + ID,
                        new Report.Change(),
                        "actions show core.http",
                        ACTION),
                turn("enable", "Turn it on, for all tenants.", ACTIONS, "actions enable acme.create-ticket", ACTION),
                turn(
                        "disable",
                        "Turn it off, for all tenants: it is neither published nor run.",
                        ACTIONS,
                        "actions disable acme.create-ticket --reason 'it floods them'",
                        ACTION));
    }

    private static Verb turn(String name, String header, String root, String example, Argument what) {
        return Verb.post(name, header, root + ID + "/" + name, example, what).flags(WHY, SharedFlags.REVISION);
    }
}
