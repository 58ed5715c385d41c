package dev.flowstone.kernel.program;

import dev.flowstone.kernel.id.Sha256;

/** A program's canonical JSON, and its hash. */
@SuppressWarnings("DoNotCallSuggester")
public final class ProgramCodec {
    private ProgramCodec() {}

    /** The canonical exact bytes; what {@link #hash} covers. */
    public static byte[] encode(Program program) {
        throw new IllegalStateException("not built yet" + program);
    }

    /** Reads what {@link #encode} wrote. */
    public static Program decode(byte[] bytes) {
        throw new IllegalStateException("not built yet" + bytes.length);
    }

    public static Sha256 hash(Program program) {
        return Sha256.digest(encode(program));
    }
}
