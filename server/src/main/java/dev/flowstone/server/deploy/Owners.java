package dev.flowstone.server.deploy;

import dev.flowstone.server.deploy.Ledger.VersionedEntry;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Which other deployments there are on a server, and what they have made: a file may move from one folder to another. */
final class Owners {
    static final String FOREIGN = "this deployment hasn't made it; --overwrite takes it over";
    static final String THEIRS = "others have made it, and it stays theirs";

    private final Remote remote;
    private final List<String> others;
    private final Map<Piece.Kind, Map<String, String>> owners = new EnumMap<>(Piece.Kind.class);
    private boolean read;

    /**
     * Nothing is read before somebody asks.
     *
     * @param workflows all that there are
     * @param name of the deployment that asks
     */
    Owners(Remote remote, Set<String> workflows, String name) {
        this.remote = remote;
        this.others = workflows.stream()
                .filter(id -> id.startsWith(Deployment.PREFIX) && !id.equals(Deployment.ledgerOf(name)))
                .sorted()
                .toList();
    }

    /** The name of another deployment that has made a workflow, a set or a template, and hasn't taken it out of use. */
    Optional<String> of(Piece.Kind kind, String name) throws DeployException, InterruptedException {
        if (!read) {
            for (String id : others) {
                remote.draft(id).flatMap(Ledger::in).ifPresent(ledger -> add(id, ledger));
            }
            read = true;
        }
        return Optional.ofNullable(owners.getOrDefault(kind, Map.of()).get(name));
    }

    private void add(String id, Ledger ledger) {
        add(id, Piece.Kind.WORKFLOW, ledger.workflows());
        add(id, Piece.Kind.SET, ledger.sets());
        add(id, Piece.Kind.TEMPLATE, ledger.templates());
    }

    private void add(String id, Piece.Kind kind, Map<String, VersionedEntry> entries) {
        Map<String, String> names = owners.computeIfAbsent(kind, _ -> new TreeMap<>());
        entries.forEach((name, entry) -> {
            if (!entry.removed() && entry.checksum().isPresent()) {
                names.put(name, id.substring(Deployment.PREFIX.length()));
            }
        });
    }

    static String inTheWay(String owner) {
        return made(owner) + "; --overwrite takes it over, and that one leaves it";
    }

    static String made(String owner) {
        return "deployment '" + owner + "' has made it";
    }

    static String has(String owner) {
        return "deployment '" + owner + "' has it now";
    }
}
