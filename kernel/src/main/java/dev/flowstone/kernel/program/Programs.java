package dev.flowstone.kernel.program;

import dev.flowstone.kernel.id.Sha256;
import java.util.Optional;

/**
 * Programs by their hash: a pure function, since a hash names one program for ever, as far as it knows them. Runs that
 * change to another program ({@code Migrated}) need it to be decided and folded; all others don't.
 */
@FunctionalInterface
public interface Programs {
    /** Knows none: enough for runs that keep their program. */
    Programs NONE = hash -> Optional.empty();

    Optional<Program> find(Sha256 hash);
}
