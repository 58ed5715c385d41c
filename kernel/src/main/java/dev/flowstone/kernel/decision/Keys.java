package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.Optional;

/**
 * An activation's idempotency key (R5): SHA-256 over (run, node, visit, subject version, attempt group), each behind its
 * length. The subject version is empty while the run is not bound to a subject; all attempts of an activation are one group.
 */
final class Keys {
    private static final int GROUP = 1;

    private Keys() {}

    static Sha256 of(RunId run, ActivationId activation, Optional<Long> subjectVersion) {
        byte[] node = activation.node().value().getBytes(StandardCharsets.UTF_8);
        ByteBuffer parts = ByteBuffer.allocate(5 * 4 + 16 + node.length + 4 + (subjectVersion.isPresent() ? 8 : 0) + 4);
        parts.putInt(16)
                .putLong(run.value().getMostSignificantBits())
                .putLong(run.value().getLeastSignificantBits());
        parts.putInt(node.length).put(node);
        parts.putInt(4).putInt(activation.visit());
        if (subjectVersion.isPresent()) {
            parts.putInt(8).putLong(subjectVersion.get());
        } else {
            parts.putInt(0);
        }
        parts.putInt(4).putInt(GROUP);
        return Sha256.digest(parts.array());
    }
}
