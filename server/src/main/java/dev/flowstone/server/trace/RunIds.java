package dev.flowstone.server.trace;

import dev.flowstone.kernel.id.ActivationId;
import dev.flowstone.kernel.id.RunId;
import io.opentelemetry.api.trace.SpanContext;
import io.opentelemetry.api.trace.TraceFlags;
import io.opentelemetry.api.trace.TraceState;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.util.HexFormat;

/** The ids of an execution's own span and of its nodes', which all nodes of an installation make alike. */
final class RunIds {
    private static final long RANDOM_BITS = 0x3fff_ffff_ffff_ffffL;
    private static final int SPAN_ID_BYTES = 8;

    private RunIds() {}

    /**
     * The span of an execution in the trace that is the run's own. Whether it is one of those that are sent is the run id's to say, too.
     *
     * @param ratio of the traces that are sent
     */
    static SpanContext own(RunId run, double ratio) {
        HexFormat hex = HexFormat.of();
        long high = run.value().getMostSignificantBits();
        long low = run.value().getLeastSignificantBits();
        boolean sampled = (low & RANDOM_BITS) < ratio * RANDOM_BITS;
        return SpanContext.createFromRemoteParent(
                hex.toHexDigits(high) + hex.toHexDigits(low),
                hex.toHexDigits(low),
                sampled ? TraceFlags.getSampled() : TraceFlags.getDefault(),
                TraceState.getDefault());
    }

    /** The span of an execution in the trace of what it came from. */
    static SpanContext execution(RunId run, SpanContext root) {
        return in(root, HexFormat.of().toHexDigits(run.value().getLeastSignificantBits()));
    }

    /** The span of a visit of a node, in the same. */
    static SpanContext node(RunId run, ActivationId activation, SpanContext root) {
        byte[] digest = sha256().digest((run + "/" + activation).getBytes(StandardCharsets.UTF_8));
        return in(root, HexFormat.of().formatHex(digest, 0, SPAN_ID_BYTES));
    }

    private static SpanContext in(SpanContext root, String span) {
        return SpanContext.createFromRemoteParent(root.getTraceId(), span, root.getTraceFlags(), root.getTraceState());
    }

    private static MessageDigest sha256() {
        try {
            return MessageDigest.getInstance("SHA-256");
        } catch (NoSuchAlgorithmException e) {
            throw new IllegalStateException("every JDK has it", e);
        }
    }
}
