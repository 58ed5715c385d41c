package dev.flowstone.kernel.decision;

import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import dev.flowstone.kernel.id.Sha256;
import dev.flowstone.kernel.id.Slot;
import dev.flowstone.kernel.id.TenantId;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Instant;
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

    /**
     * Id of the child that the event of this number starts (R2): slot and low bits come from SHA-256 over (tenant, parent,
     * number, ordinal), each behind its length. One event starts one child: the ordinal is 0.
     */
    static RunId child(TenantId tenant, RunId parent, long sequence, Instant birth) {
        byte[] name = tenant.value().getBytes(StandardCharsets.UTF_8);
        ByteBuffer parts = ByteBuffer.allocate(4 * 4 + name.length + 16 + 8 + 4);
        parts.putInt(name.length).put(name);
        parts.putInt(16)
                .putLong(parent.value().getMostSignificantBits())
                .putLong(parent.value().getLeastSignificantBits());
        parts.putInt(8).putLong(sequence);
        parts.putInt(4).putInt(0);
        ByteBuffer hash = ByteBuffer.wrap(Sha256.digest(parts.array()).bytes());
        long low = hash.getLong();
        return RunId.of(birth, new Slot(hash.getShort() & (Slot.COUNT - 1)), low);
    }
}
