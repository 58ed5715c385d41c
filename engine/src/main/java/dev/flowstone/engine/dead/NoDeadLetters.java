package dev.flowstone.engine.dead;

import dev.flowstone.engine.journal.RunKey;
import dev.flowstone.engine.lease.Shard;
import dev.flowstone.kernel.id.TenantId;
import java.util.Collection;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/** Keeps none. */
final class NoDeadLetters implements DeadLetterStore {
    @Override
    public Failed failed(PoisonMessage poison, DeadLetterConfig config) {
        return Failed.NOTHING;
    }

    @Override
    public Failed failed(TenantId tenant, long id, DeadReason reason, String error, DeadLetterConfig config) {
        return Failed.NOTHING;
    }

    @Override
    public void overtaken(TenantId tenant, long id, String error) {}

    @Override
    public Taken take(Collection<Shard> mine, Set<DeadSource> sources, int limit, DeadLetterConfig config) {
        return Taken.NOTHING;
    }

    @Override
    public void resolved(TenantId tenant, long id) {}

    @Override
    public void resolved(DeadLetter taken) {}

    @Override
    public void postponed(List<Postponed> letters) {}

    @Override
    public int waiting(TenantId tenant, DeadSource source, int most) {
        return 0;
    }

    @Override
    public void dueAgain(RunKey run, Set<DeadSource> sources) {}

    @Override
    public List<DeadLetter> behind(DeadLetter letter, int limit) {
        return List.of();
    }

    @Override
    public List<Pair> pairs(Shard shard, Optional<Pair> after, int limit) {
        return List.of();
    }

    @Override
    public boolean has(Pair pair) {
        return false;
    }

    @Override
    public List<Depth> depths(int most) {
        return List.of();
    }

    @Override
    public DeadLetters control() {
        return DeadLetters.NONE;
    }
}
