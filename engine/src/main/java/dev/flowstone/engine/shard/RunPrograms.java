package dev.flowstone.engine.shard;

import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.program.Program;
import dev.flowstone.kernel.program.Programs;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/**
 * The programs that one run may change to in what is decided or folded next: they are read before, so that neither deciding
 * nor folding ever waits for the store. Belongs to its shard's loop.
 */
final class RunPrograms implements Programs {
    private Map<Sha256, Program> known = Map.of();

    @Override
    public Optional<Program> find(Sha256 hash) {
        return Optional.ofNullable(known.get(hash));
    }

    /** Knows this one too. */
    void learn(Sha256 hash, Program program) {
        Map<Sha256, Program> more = new HashMap<>(known);
        more.put(hash, program);
        known = Map.copyOf(more);
    }

    /** Knows none any more: a state holds the program that it follows, and is asked for nothing but the next one. */
    void forget() {
        known = Map.of();
    }
}
