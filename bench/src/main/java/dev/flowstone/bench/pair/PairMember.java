package dev.flowstone.bench.pair;

import java.util.Optional;

/**
 * What Patroni tells of a server.
 *
 * @param role {@code leader}, {@code sync_standby}, {@code replica}
 * @param state {@code running} or {@code streaming}, if it is well
 */
record PairMember(String name, String role, String state) {
    boolean isLeader() {
        return role.equals("leader") && state.equals("running");
    }

    boolean isSyncStandby() {
        return role.equals("sync_standby") && (state.equals("running") || state.equals("streaming"));
    }

    static Optional<String> leader(Iterable<PairMember> members) {
        for (PairMember member : members) {
            if (member.isLeader()) {
                return Optional.of(member.name);
            }
        }
        return Optional.empty();
    }
}
