package dev.flowstone.server.deploy;

import java.util.List;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/** Which other deployments there are on a server, and what they have made: a file may move from one folder to another. */
final class Owners {
    private final Remote remote;
    private final List<String> others;
    private final TreeMap<String, String> owners = new TreeMap<>();
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

    /** The name of another deployment that has made a workflow, and hasn't taken it out of use. */
    Optional<String> of(String workflow) throws DeployException, InterruptedException {
        if (!read) {
            for (String id : others) {
                remote.draft(id).flatMap(Ledger::in).ifPresent(ledger -> add(id, ledger));
            }
            read = true;
        }
        return Optional.ofNullable(owners.get(workflow));
    }

    private void add(String id, Ledger ledger) {
        ledger.workflows().forEach((workflow, entry) -> {
            if (!entry.removed() && entry.checksum().isPresent()) {
                owners.put(workflow, id.substring(Deployment.PREFIX.length()));
            }
        });
    }
}
